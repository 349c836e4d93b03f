import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { findImportCircle } from "../../kit/documents/import-circle.ts";
import { crossTeamFiles, exceptions, rooms, testsThatPoll, topFiles, unsafeCasts } from "../../kit/documents/rooms.ts";

const packages = fileURLToPath(new URL("../../../..", import.meta.url));
const source = join(packages, "server", "src");

interface Import {
  from: string;
  /** Relative to packages/server/src for files of ours, otherwise the specifier. */
  to: string;
  isOurs: boolean;
  isType: boolean;
}

function filesBelow(folder: string, pattern: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => name.split(sep).join("/"))
    .filter((name) => pattern.test(name) && !name.includes("node_modules/"))
    .sort();
}

/** Replaces block and line comments by blanks, so that prose can neither break nor satisfy a rule. */
function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, (comment) => comment.replace(/[^\n]/g, " "));
}

const statement =
  /(?:^|\n)\s*(import|export)\s+(type\s+)?(?:([\w*\s{},$]+?)\s+from\s+)?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/g;

function importsOf(file: string): Import[] {
  const text = withoutComments(readFileSync(join(source, file), "utf8"));
  return [...text.matchAll(statement)].map(([, , type, names = "", fromPath, dynamicPath]) => {
    const specifier = fromPath ?? dynamicPath ?? "";
    const isOurs = specifier.startsWith(".");
    const inner = names.match(/^\{([^}]*)\}$/)?.[1];
    const allTypes = inner?.split(",").every((name) => name.trim() === "" || name.trim().startsWith("type "));
    return {
      from: file,
      to: isOurs ? posix.normalize(posix.join(dirname(file), specifier)) : specifier,
      isOurs,
      isType: Boolean(type) || allTypes === true,
    };
  });
}

/** The number of files that a reader can take in at a glance. Tests lie beside what they test, and are counted separately. */
const maxLooseFiles = 25;

/** Suites that several tests share lie beside the code that they test. */
const isTest = (file: string) => /\.test\.ts$|\/exercise[-/]/.test(file);
const roomOf = (file: string) => (file.includes("/") ? file.slice(0, file.indexOf("/")) : "");
const sources = filesBelow(source, /\.ts$/);
const product = sources.filter((file) => !isTest(file));
const imports = product.flatMap(importsOf);

function covers(entry: string, target: string): boolean {
  return target === entry || target.startsWith(`${entry}/`);
}

function mayEnter({ from, to, isType }: Import): boolean {
  const room = rooms[roomOf(from)];
  if (room === undefined || roomOf(to) === roomOf(from)) return true;
  const exception = exceptions[from];
  if (exception !== undefined && covers(exception.imports, to)) return true;
  if (room.mayImport.some((entry) => covers(entry, to))) return true;
  return isType && (room.typesOnly ?? []).some((entry) => covers(entry, to));
}

function mayUsePackage({ from, to }: Import): boolean {
  const room = rooms[roomOf(from)];
  if (room === undefined) return true;
  return room.packages.some((entry) => entry === "*" || entry === to || to.startsWith(entry.endsWith(":") ? entry : `${entry}/`));
}

const arrow = ({ from, to }: Import) => `${from} -> ${to}`;

describe("rooms", () => {
  test("every file of the server is in a room of the table, or one of the few at its top", () => {
    expect(product.filter((file) => roomOf(file) === "" && topFiles[file] === undefined)).toEqual([]);
    expect(product.map(roomOf).filter((room) => room !== "" && rooms[room] === undefined)).toEqual([]);
  });

  test("no folder of any package has too many files", () => {
    const all = filesBelow(packages, /^[^/]+\/(?:src|test|bench)\/.*(?<!\.generated\.ts)$/).filter((file) => /\.\w+$/.test(file));
    const loose = new Map<string, number>();
    for (const file of all) {
      const kind = `${dirname(file)} ${/\.test\.tsx?$/.test(file) ? "tests" : "files"}`;
      loose.set(kind, (loose.get(kind) ?? 0) + 1);
    }
    expect([...loose].filter(([, count]) => count > maxLooseFiles)).toEqual([]);
  });

  test("a room imports only the rooms that the table allows it", () => {
    expect(imports.filter((edge) => edge.isOurs && !mayEnter(edge)).map(arrow)).toEqual([]);
  });

  test("a room uses only the packages that the table allows it", () => {
    expect(imports.filter((edge) => !edge.isOurs && !mayUsePackage(edge)).map(arrow)).toEqual([]);
  });

  test("nothing imports app.ts or main.ts", () => {
    expect(imports.filter((edge) => edge.isOurs && edge.from !== "main.ts" && /^(app|main)\.ts$/.test(edge.to)).map(arrow)).toEqual([]);
  });

  test("an endpoint does not import another endpoint", () => {
    const isEndpoint = (file: string) => roomOf(file) === "api" && /\bdefineEndpoint\(/.test(readFileSync(join(source, file), "utf8"));
    const endpoints = new Set(product.filter((file) => file !== "api/endpoint.ts" && isEndpoint(file)));
    const across = imports.filter(({ from, to }) => endpoints.has(from) && endpoints.has(to));
    expect(across.map(arrow)).toEqual([]);
  });

  test("imports form no circle, not even of types", () => {
    expect(findImportCircle(imports.filter(({ isOurs }) => isOurs))).toBeUndefined();
  });

  test("the table names no exception that is not needed", () => {
    const used = imports.filter((edge) => edge.isOurs && exceptions[edge.from] !== undefined).map((edge) => edge.from);
    expect(Object.keys(exceptions).filter((file) => sources.includes(file) && !used.includes(file))).toEqual([]);
  });

  test("there are no barrel files and no catch-all files", () => {
    const all = filesBelow(packages, /^[^/]+\/src\/.*\.tsx?$/);
    expect(all.filter((file) => /\/index\.tsx?$|\/(utils?|helpers?|common|misc|shared)\//.test(file))).toEqual([]);
  });
});

/** The end of a template literal whose first character is at `start`: nested templates and braces are skipped. */
function templateEnd(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === "`") return at;
    else if (text[at] === "$" && text[at + 1] === "{") at = interpolationEnd(text, at + 2);
  }
  return text.length;
}

function interpolationEnd(text: string, start: number): number {
  let depth = 1;
  for (let at = start; at < text.length; at++) {
    if (text[at] === "`") at = templateEnd(text, at + 1);
    else if (text[at] === "{") depth++;
    else if (text[at] === "}" && --depth === 0) return at;
  }
  return text.length;
}

/** Whole SQL statements and fragments of a file, outermost templates only, with their line. */
function statementsOf(text: string): { line: number; sql: string }[] {
  const found: { line: number; sql: string }[] = [];
  const opening = /\b(?:sql|db|tx)(?:<[^`;]*?>)?`/g;
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    const start = match.index + match[0].length;
    const end = templateEnd(text, start);
    found.push({ line: text.slice(0, match.index).split("\n").length, sql: text.slice(start, end) });
    opening.lastIndex = end + 1;
  }
  return found;
}

/** Tables of the schema that hold data of teams. */
function teamTables(): string[] {
  const folder = join(packages, "server", "migrations");
  const schema = filesBelow(folder, /^(base\/)?\d+.*\.sql$/).map((file) => readFileSync(join(folder, file), "utf8"));
  const tables = schema.join("\n").matchAll(/create table (\w+) \(([\s\S]*?)\n\)/g);
  return [...tables].filter(([, , columns]) => /^\s*team_id uuid not null/m.test(columns ?? "")).map(([, name]) => name as string);
}

describe("habits", () => {
  const read = (file: string) => withoutComments(readFileSync(join(source, file), "utf8"));
  /** `file:line` of each match in the product's files that pass the filter. */
  function find(pattern: RegExp, where: (file: string) => boolean): string[] {
    return product.filter(where).flatMap((file) => places(file, read(file), pattern));
  }
  function places(file: string, text: string, pattern: RegExp): string[] {
    return [...text.matchAll(pattern)].map((match) => `${file}:${text.slice(0, match.index).split("\n").length}: ${match[0].trim()}`);
  }

  test("SQL is written in store only", () => {
    expect(find(/\b(?:sql|db|tx)(?:<[^>`]*>)?`/g, (file) => roomOf(file) !== "store")).toEqual([]);
  });

  test("statements name their columns, pass lists as one parameter and take the time from db_now()", () => {
    const inStore = (file: string) => roomOf(file) === "store";
    expect(find(/\bselect \*(?!\s+from unnest\()|\bin \$\{(?:sql|db|tx)\(|(?<![.\w])now\(\)|\bcurrent_timestamp\b/gi, inStore)).toEqual([]);
  });

  test("every statement on data of a team takes the team", () => {
    const tables = teamTables();
    expect(tables).toContain("task_run");
    const touches = new RegExp(`\\b(?:from|join|update|into)\\s+(?:${tables.join("|")})\\b`, "i");
    const inOneTeam = product.filter((file) => roomOf(file) === "store" && crossTeamFiles[file] === undefined);
    const found = inOneTeam.flatMap((file) =>
      statementsOf(read(file))
        .filter(({ sql }) => touches.test(sql) && !/team_?id/i.test(sql))
        .map(({ line, sql }) => `${file}:${line}: ${sql.trim().slice(0, 80)}`),
    );
    expect(found).toEqual([]);
  });

  test("the core reads neither the clock nor random numbers, and starts nothing", () => {
    const isPure = (file: string) => roomOf(file) === "core" || roomOf(file) === "policy";
    expect(
      find(/\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bperformance\.now\(|\bset(?:Timeout|Interval|Immediate)\(|\bfetch\(/g, isPure),
    ).toEqual([]);
  });

  test("domain and store make no calls over the network", () => {
    expect(find(/\bfetch\(|node:https?["']|node:net["']|node:dgram["']/g, (file) => roomOf(file) === "domain")).toEqual([]);
  });

  test("tests neither sleep nor run alone nor mock our own code", () => {
    const tests = filesBelow(packages, /\.test\.tsx?$/).filter(
      (file) => !file.endsWith("test/guarantees/documents/rooms.test.ts") && testsThatPoll[file] === undefined,
    );
    const forbidden =
      /\b(?:test|it|describe)\.only\b|timers\/promises|=>\s*setTimeout\(|\bvi\.(?:mock|doMock)\(|\bvi\.spyOn\((?!(?:process|performance)\b)|\bpg_sleep\(/g;
    const found = tests.flatMap((file) => places(file, withoutComments(readFileSync(join(packages, file), "utf8")), forbidden));
    expect(found).toEqual([]);
  });

  test("no value is cast to a type, except where the list says why", () => {
    const casts = find(/\bas unknown as\b/g, () => true).map((place) => place.slice(0, place.indexOf(":")));
    const count = (file: string) => casts.filter((one) => one === file).length;
    expect([...new Set(casts)].filter((file) => count(file) > (unsafeCasts[file]?.count ?? 0))).toEqual([]);
  });

  test("the sources contain no TODO comments", () => {
    const all = filesBelow(packages, /\.(ts|tsx|sql|md)$/).filter((file) => !file.endsWith("test/guarantees/documents/rooms.test.ts"));
    const found = all.flatMap((file) => places(file, readFileSync(join(packages, file), "utf8"), /\b(?:FIXME|TODO|XXX|HACK)\b/g));
    expect(found).toEqual([]);
  });
});
