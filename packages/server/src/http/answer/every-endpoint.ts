import Type from "typebox";
import type { Endpoint, Reply } from "../../api/endpoint.ts";
import { renderDocsPage } from "../document/docs-page.ts";
import { makeApiDocument } from "../document/openapi.ts";

/** The page runs no scripts and loads nothing. */
const pageRules = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/**
 * The endpoints of the API, followed by those of the HTTP layer itself: the API document and its page. Both are built at the first request.
 */
export function everyEndpoint(endpoints: readonly Endpoint[]): Endpoint[] {
  let document: ReturnType<typeof makeApiDocument> | undefined;
  let rendered: string | undefined;
  const documentOnce = () => {
    document ??= makeApiDocument(all);
    return document;
  };
  const shared = { method: "GET", tag: "Operation", permission: "open", transaction: "none" } as const;
  const spec: Endpoint = {
    ...shared,
    operationId: "getApiDocument",
    path: "/api/docs/spec",
    summary: "Read the API document",
    description: "OpenAPI 3.1.",
    response: Type.Object({}, { additionalProperties: true }),
    handle: async () => documentOnce(),
  };
  const page: Endpoint = {
    ...shared,
    operationId: "getApiPage",
    path: "/api/docs",
    summary: "Read the API document as a page",
    produces: ["text/html"],
    response: Type.String(),
    async handle(): Promise<Reply> {
      rendered ??= renderDocsPage(documentOnce());
      const headers = { "content-type": "text/html; charset=utf-8", "content-security-policy": pageRules };
      return { reply: true, headers, body: rendered };
    },
  };
  const all = [...endpoints, spec, page];
  return all;
}
