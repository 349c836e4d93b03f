import type { SearchablePage } from "../handbook/search-pages.ts";
import type { ApiDocument } from "./openapi.ts";

/** The operations of the API as a page that can be searched: by their path, and by what they do. */
export function searchableOperations({ paths }: ApiDocument): SearchablePage {
  const sections = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId = "", summary, description = "", parameters = [] }]) => ({
      id: operationId,
      title: `${method.toUpperCase()} ${path}`,
      text: [`${summary}.`, description, ...(parameters as { name: string }[]).map(({ name }) => name)].join(" "),
    })),
  );
  return { address: "/api/docs", title: "API reference", sections };
}
