import { describe, expect, test } from "vitest";
import { everyEndpoint } from "../../../src/http/answer/every-endpoint.ts";
import { makeApiDocument } from "../../../src/http/document/openapi.ts";
import { endpoints } from "../../../src/http/routes.ts";
import { testApp } from "../../kit/app.ts";

/** Every list that a request carries has a limit, in the body and in parameters. A longer list gets a 400 that names the limit. */
const document = makeApiDocument(everyEndpoint(endpoints));

interface Node {
  $ref?: string;
  type?: string | string[];
  maxItems?: number;
  [member: string]: unknown;
}

/** Where a list has no limit, in a schema and in those that it refers to. */
function unboundedLists(node: unknown, path: string, seen: Set<string>): string[] {
  if (Array.isArray(node)) return node.flatMap((inner) => unboundedLists(inner, path, seen));
  if (typeof node !== "object" || node === null) return [];
  const { $ref, type, maxItems } = node as Node;
  if ($ref !== undefined) {
    const name = $ref.split("/").at(-1)!;
    if (seen.has(name)) return [];
    seen.add(name);
    return unboundedLists((document.components["schemas"] as Record<string, unknown>)[name], name, seen);
  }
  const isOpen = [type ?? []].flat().includes("array") && maxItems === undefined;
  const inside = Object.entries(node).filter(([key]) => key !== "examples" && key !== "example" && key !== "default");
  return [...(isOpen ? [path] : []), ...inside.flatMap(([key, inner]) => unboundedLists(inner, `${path}/${key}`, seen))];
}

test("every list that a request may carry has a bound", () => {
  const seen = new Set<string>();
  const unbounded = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters, requestBody }]) =>
      unboundedLists([parameters, requestBody], `${method.toUpperCase()} ${path}`, seen),
    ),
  );
  expect(unbounded).toEqual([]);
});

describe("beyond the bound", async () => {
  const app = await testApp();
  const team = await app.make.team();
  const at = `/api/v2/team/${team.name}`;
  const many = (count: number, item: (index: number) => unknown) => Array.from({ length: count }, (_, index) => item(index));
  const names = many(1001, (index) => `n${index}`).join(",");

  test.each([
    ["workflows in a query", () => app.as().get(`${at}/workflow/query?limit=1&page=0&workflows=${names}`), "workflows", 1000],
    ["words in a query", () => app.as().get(`${at}/action/query?types=${many(101, () => "manual").join(",")}`), "types", 100],
    [
      "params of a submission",
      () => app.as().post(`${at}/workflow/w/submit`, { params: many(1001, (name) => ({ name: `p${name}` })) }),
      "/params",
      1000,
    ],
    [
      "tasks of a workflow",
      () => app.as().post(`${at}/workflow`, { name: "w", tasks: many(10_003, (name) => ({ name: `t${name}` })) }),
      "/tasks",
      10_002,
    ],
    ["items on a page", () => app.as().get(`${at}/workflow/query?limit=1001&page=0`), "limit", 1000],
  ])("%s", async (_, call, where, most) => {
    const { status, body } = await call();
    expect(status).toBe(400);
    expect(body.errors).toContainEqual({ path: where, message: expect.stringContaining(String(most)) });
  });
});
