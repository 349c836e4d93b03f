import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { findImportCircle } from "../../server/test/kit/documents/import-circle.ts";

/** The rooms of the interface: which folder may import which. Each page has its own folder and imports nothing of other pages. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  styles: ["texts"],
  // The German of the service's own sentences is loaded with the German texts, and only then.
  texts: ["api/german-outcomes.ts", "api/german-reasons.ts"],
  ui: ["styles", "texts", "api/api-error.ts", "api/connection.ts"],
  graph: ["ui", "texts"],
  api: ["texts"],
  hooks: ["api", "texts", "paths.ts"],
  forms: ["ui", "texts", "hooks", "api", "graph", "paths.ts"],
  components: ["ui", "texts", "forms", "graph", "hooks", "api", "styles", "paths.ts"],
  editor: ["ui", "texts", "components", "forms", "graph", "hooks", "api", "paths.ts"],
  pages: ["ui", "texts", "components", "forms", "editor", "graph", "hooks", "api", "styles", "paths.ts"],
};

/** Deliberate exceptions to the table. */
const exceptions: Readonly<Record<string, string>> = {
  // The insights of all teams are the page of one team with another query.
  "pages/admin/admin-sections.tsx": "pages/insights/insights-page.tsx",
  // The runs of a workflow are a part of those of its team.
  "pages/workflow/workflow-runs-page.tsx": "pages/activity/runs-table.tsx",
};

const source = fileURLToPath(new URL("../src", import.meta.url));
const files = readdirSync(source, { recursive: true, encoding: "utf8" }).map((name) => name.split(sep).join("/"));
const code = files.filter((name) => /\.tsx?$/.test(name) && !/\.(test|generated)\./.test(name));
const read = (file: string) => readFileSync(join(source, file), "utf8");

const statement = /(?:from\s+|import\s*\(\s*|^import\s+)["'](\.[^"']+)["']/gm;
const imports = code.flatMap((from) =>
  [...read(from).matchAll(statement)].map(([, to]) => ({ from, to: posix.normalize(posix.join(dirname(from), to as string)) })),
);
const roomOf = (file: string) => (file.includes("/") ? file.slice(0, file.indexOf("/")) : "");
const placeOf = (file: string) => file.split("/").slice(0, 2).join("/");

describe("the rooms of the interface", () => {
  test("each folder is a room of the table", () => {
    expect(code.map(roomOf).filter((room) => room !== "" && rooms[room] === undefined)).toEqual([]);
  });

  test("a room imports only from rooms that the table allows", () => {
    const forbidden = imports.filter(({ from, to }) => {
      const room = roomOf(from);
      if (room === "" || roomOf(to) === room) return false;
      return !(rooms[room] ?? []).some((entry) => to === entry || to.startsWith(`${entry}/`));
    });
    expect(forbidden.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  });

  test("a page imports nothing from the folder of another page", () => {
    const isOfFolder = (file: string) => file.startsWith("pages/") && file.split("/").length > 2;
    const forbidden = imports.filter(({ from, to }) => isOfFolder(from) && isOfFolder(to) && placeOf(from) !== placeOf(to));
    expect(forbidden.filter(({ from, to }) => exceptions[from] !== to).map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  });
});

describe("the files of the interface", () => {
  test("form no import cycle, not even of types", () => {
    expect(findImportCircle(imports)).toBeUndefined();
  });
});

describe("no file of the interface may", () => {
  test.each([
    ["put text into the page as markup", /dangerouslySetInnerHTML|\.innerHTML\s*=|insertAdjacentHTML|document\.write/],
    ["run text as a program", /\beval\(|new Function\(/],
    ["keep a credential where scripts can read it", /(local|session)Storage\.setItem\([^)]*(token|password|secret)/i],
    ["ask another host", /fetch\(\s*["'`]https?:/],
  ])("%s", (_, pattern) => {
    expect(code.filter((file) => pattern.test(read(file)))).toEqual([]);
  });

  test("use a colour that is not a token", () => {
    const styled = [...code, ...files.filter((name) => name.endsWith(".css"))].filter(
      (file) => !/^styles\/(tokens\.css|theme\.ts)$/.test(file),
    );
    expect(
      styled.filter((file) => /#[0-9a-f]{6}\b|#[0-9a-f]{3}\b(?![\w-])|\brgba?\(/i.test(read(file).replace(/["'`]#[\w-]+["'`]/g, ""))),
    ).toEqual([]);
  });
});
