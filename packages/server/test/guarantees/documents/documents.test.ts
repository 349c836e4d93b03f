import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { everyEndpoint } from "../../../src/http/answer/every-endpoint.ts";
import { endpoints } from "../../../src/http/routes.ts";
import { rooms } from "../../kit/documents/rooms.ts";

const root = fileURLToPath(new URL("../../../../..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");

test("every promise names the tests that show it, and each of them exists", () => {
  const promises = read("docs/guarantees.md")
    .split(/^## /m)
    .filter((section) => /^[a-z]\. /.test(section));
  expect(promises.map(([letter]) => letter).join("")).toBe("abcdefghijklmnopqrstuvwxyz".slice(0, promises.length));
  const named = promises.map((section) => [...section.matchAll(/`(packages\/[^`]+\.test\.ts)`/g)].map(([, file]) => file as string));
  expect(named.filter((files) => files.length === 0)).toEqual([]);
  expect([...new Set(named.flat())].filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

test("every row of the features that control workflows names its tests, and each of them exists", () => {
  const rows = read("docs/control.md")
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| feature"));
  const named = rows.map((row) => [...row.matchAll(/`(packages\/[^`]+\.test\.ts)`/g)].map(([, file]) => file as string));
  expect(named.filter((files) => files.length === 0)).toEqual([]);
  expect([...new Set(named.flat())].filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

test("every test that the threat model names exists", () => {
  const named = [...read("docs/security.md").matchAll(/`((?:src|test)\/[^`]+\.test\.ts)`/g)].map(([, file]) => file as string);
  expect(named.length).toBeGreaterThan(30);
  expect([...new Set(named)].filter((file) => !existsSync(join(root, "packages/server", file)))).toEqual([]);
});

test("the list of decisions names every decision, in order", () => {
  const files = readdirSync(join(root, "docs/adr")).filter((name) => /^\d{4}-.*\.md$/.test(name));
  const listed = [...read("docs/adr/README.md").matchAll(/\((\d{4}-[^)]+\.md)\)/g)].map(([, name]) => name);
  expect(listed).toEqual(files.sort());
});

test("every endpoint that a page names exists", () => {
  const pages = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"));
  const named = pages.flatMap((page) =>
    [...read(`docs/${page}`).matchAll(/`(GET|POST|PUT|PATCH|DELETE) ([^`\s]+)/g)].map(([, method, path]) => ({
      page,
      method,
      path: path as string,
    })),
  );
  expect(named.length).toBeGreaterThan(100);
  const known = everyEndpoint(endpoints);
  const unknown = named.filter(({ method, path }) => !known.some((endpoint) => endpoint.method === method && isMeant(endpoint.path, path)));
  expect(unknown).toEqual([]);
});

/**
 * Pages omit the common prefix of the paths of a section (`…/query`, `/{workflow}/export`), and may show an example in place of a
 * parameter.
 */
function isMeant(path: string, written: string): boolean {
  const wanted = written
    .replace(/\?.*$/, "")
    .replace(/^(…|\$MILLRACE)/, "")
    .replace(/^\$TEAM/, "/api/v2/team/{team}");
  const [has, wants] = [path, wanted].map((one) => one.split("/").slice(1).reverse()) as [string[], string[]];
  if (wanted.startsWith("/api/v2/") ? has.length !== wants.length : has.length < wants.length) return false;
  return wants.every((segment, index) => segment === has[index] || has[index]?.startsWith(":"));
}

test("ARCHITECTURE.md explains every room", () => {
  const [, ofServer = ""] = /^## Rooms of the server$(.*?)^## /ms.exec(read("ARCHITECTURE.md")) ?? [];
  const explained = [...ofServer.matchAll(/^\| `([a-z]+)` \|/gm)].map(([, room]) => room);
  expect(explained.sort()).toEqual(Object.keys(rooms).sort());
});

test("files and commands that the documents name exist", () => {
  const documents = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "AGENTS.md"].map(read).join("\n");
  const paths = [...documents.matchAll(/`((?:packages|scripts|docs|\.ci)\/[\w./-]+)`/g)].map(([, path]) => path as string);
  expect([...new Set(paths)].filter((path) => !existsSync(join(root, path)))).toEqual([]);
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const commands = [...documents.matchAll(/\bnpm (?:run ([a-z:]+)|(start|test))\b/g)].map(
    ([, script, plain]) => script ?? (plain as string),
  );
  expect([...new Set(commands)].filter((command) => scripts[command] === undefined)).toEqual([]);
});

test("each walk of ARCHITECTURE.md names at most 25 files", () => {
  const walks = read("ARCHITECTURE.md")
    .split("\n\n")
    .filter((paragraph) => /^(Files to open|From the end)/.test(paragraph));
  expect(walks.length).toBe(5);
  for (const walk of walks) {
    const files = [...walk.matchAll(/`([^`]+)`/g)].map(([, file]) => file as string);
    expect(files.length, walk).toBeLessThanOrEqual(25);
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  }
});
