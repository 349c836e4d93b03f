import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, sep } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, test } from "vitest";

const source = fileURLToPath(new URL("../src", import.meta.url));
const names = readdirSync(source, { recursive: true, encoding: "utf8" })
  .map((name) => name.split(sep).join("/"))
  // The page of components shows examples to developers of the interface; nothing links to it. Messages of the service in German have no
  // catalogue, since the service writes the English ones.
  .filter((name) => /\.tsx?$/.test(name) && !/\.(test|generated)\./.test(name) && !/^(?:texts\/|pages\/kit\/)|\/german-/.test(name));

/** The catalogues; the other files in their folder read them. */
const catalogues = readdirSync(join(source, "texts"), { recursive: true, encoding: "utf8" })
  .map((name) => name.split(sep).join("/"))
  .filter((name) => name.endsWith(".ts") && name !== "language.ts" && !name.startsWith("german/"));

/** File to text. */
const files = new Map(names.map((name) => [name, readFileSync(join(source, name), "utf8")]));

/** Attributes and members whose text is read by people. */
const shown = new Set(
  "label title placeholder description message aria-label alt heading hint help detail note word empty action tooltip caption legend head".split(
    " ",
  ),
);
/** Elements that contain code, which is the same in all languages. */
const code = new Set(["code", "kbd", "pre", "Kbd", "Code"]);

/** Texts that are allowed outside of the catalogues, each with its reason. Entries that no longer exist must be removed. */
const exceptions: Readonly<Record<string, string>> = {
  'pages/home/first-steps.tsx: {"params": [{"name": "name", "value": "everybody in the mill"}]}': "a parameter of the sample workflow",
  "editor/code/schema-words.ts: Set by the service": "what the schema says of such members",
  "ui/code/library-words.ts: Go to line": "the library's own words, which ours replace",
  "ui/code/library-words.ts: Fold line": "the library's own words, which ours replace",
  "ui/code/library-words.ts: Unfold line": "the library's own words, which ours replace",
  "pages/sign-in/sign-in-forms.tsx: Bearer …": "a header",
  "pages/configure/trials/codehost-sample.ts: A try": "sent to the service as an event of a codehost",
};

/** Calls whose text is for programs, or for readers of the console. */
const forPrograms = /^(?:Error|RegExp|querySelector|querySelectorAll|closest|matches|matchMedia|createElement|replace|t|rich)$/;

function textsOf(file: string, text: string): string[] {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isText(node)) found.push(wordsOf(node));
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** The text of a literal, with `…` for inserted values. */
function wordsOf(node: ts.Node): string {
  if (ts.isJsxText(node)) return node.text.trim().replaceAll(/\s+/g, " ");
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  return ts.isTemplateExpression(node) ? [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join("…") : "";
}

function isText(node: ts.Node): boolean {
  const words = wordsOf(node);
  // Names of formats are the same in all languages.
  if (!/[A-Za-z]{2,}/.test(words) || /^[A-Z]{2,4}$/.test(words)) return false;
  if (ts.isJsxText(node)) return !code.has(tagOf(node.parent));
  if (isForPrograms(node)) return false;
  const reads = /^[A-Z]/.test(words) || /[a-z] /.test(words) || /…[a-z ]/.test(words);
  return (
    (reads && shown.has(ownerOf(node))) ||
    /^[A-Z][a-z]+(?:['’][a-z]+)? (?:[a-z]|…)|[a-z] [a-z]+[.…]$|[a-z] [a-z]+ [a-z]+ [a-z]+/.test(words)
  );
}

function tagOf(node: ts.Node): string {
  return ts.isJsxElement(node) ? node.openingElement.tagName.getText() : "";
}

/** The attribute or member that it is the value of, also through a condition. */
function ownerOf(node: ts.Node): string {
  const { parent } = node;
  if (ts.isJsxAttribute(parent) || ts.isPropertyAssignment(parent)) return parent.name.getText().replaceAll('"', "");
  const isInside = ts.isConditionalExpression(parent) || ts.isJsxExpression(parent) || ts.isParenthesizedExpression(parent);
  return isInside || ts.isBinaryExpression(parent) ? ownerOf(parent) : "";
}

/** Types, imports, comparisons, class names, and errors that a program catches. */
function isForPrograms(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isLiteralTypeNode(parent) || ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) || ts.isTemplateSpan(parent))
    return true;
  if (ts.isBinaryExpression(parent) && /^[!=]==$/.test(parent.operatorToken.getText())) return true;
  if (/^(?:className|style|key|flex|gridTemplateColumns|d|rel|border|maxHeight)$/.test(ownerOf(node))) return true;
  if (!ts.isCallExpression(parent) && !ts.isNewExpression(parent)) return false;
  return forPrograms.test(parent.expression.getText().split(".").at(-1) ?? "");
}

/** Members whose values are words for programs, such as `submitted`. */
const wireWords = /^(?:status|phase|kind|type|outcome|severity|role)$/;

/** Places where the value of such a member is shown on purpose, each with its reason. Entries that no longer exist must be removed. */
const shownAsSent: Readonly<Record<string, string>> = {
  "components/audit/audit-detail.tsx: kind": "a word of kindWords by then",
  "editor/form/node-results.tsx: type": "the type of a result, as its task declares it",
  "pages/run/task-values.tsx: type": "the type of a result, as its task declares it",
  "pages/admin/workers/worker-tables.tsx: kind": "a need of a worker, as it is configured",
};

/** Such members where people read them: values of a text, cells of a table, text of an element. */
function wireWordsIn(file: string, text: string): string[] {
  const found = new Set<string>();
  const look = (one: ts.Node | undefined) => {
    const name = one && (ts.isPropertyAccessExpression(one) ? one.name.text : ts.isIdentifier(one) ? one.text : "");
    if (name && wireWords.test(name)) found.add(name);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^t(?:\.rich)?$/.test(node.expression.getText())) valuesOf(node.arguments[1]).forEach(look);
    if (ts.isPropertyAssignment(node) && node.name.getText() === "cell" && ts.isArrowFunction(node.initializer))
      look(node.initializer.body);
    if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent)) look(node.expression);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return [...found];
}

function valuesOf(given: ts.Node | undefined): ts.Node[] {
  if (given === undefined || !ts.isObjectLiteralExpression(given)) return [];
  return given.properties.flatMap((one) =>
    ts.isPropertyAssignment(one) ? [one.initializer] : ts.isShorthandPropertyAssignment(one) ? [one.name] : [],
  );
}

describe("the texts of the interface", { timeout: 60_000 }, () => {
  test("stand in the catalogues, but for those of the list", () => {
    const found = [...files].flatMap(([file, content]) => textsOf(file, content).map((text) => `${file}: ${text}`));
    expect(found.filter((text) => exceptions[text] === undefined)).toEqual([]);
    expect(Object.keys(exceptions).filter((text) => !found.includes(text))).toEqual([]);
  });

  test("are not the words of the API", () => {
    const found = [...files].flatMap(([file, content]) => wireWordsIn(file, content).map((text) => `${file}: ${text}`));
    expect(found.filter((text) => shownAsSent[text] === undefined)).toEqual([]);
    expect(Object.keys(shownAsSent).filter((text) => !found.includes(text))).toEqual([]);
  });

  test("are all used: no key is left over", () => {
    const unused = catalogues.flatMap((name) => {
      const asking = [...files.values()].filter((text) => text.includes(`texts/${name}"`)).join("\n");
      const keys = keysOf(readFileSync(join(source, "texts", name), "utf8"));
      return keys
        .filter((key) => !asking.includes(`"${key}"`) && !asking.includes(`\`${key.replace(/\.\w+$/, ".")}`))
        .map((key) => `${name}: ${key}`);
    });
    expect(unused).toEqual([]);
  });
});

/** Code that formats numbers and times for programs, or stores many formats of one zone. */
const formatting = ["ui/format.ts", "ui/time/zone-time.ts", "graph/mini-map.tsx"];

describe("modules that load before the texts of the language", () => {
  test("read none of them while they load", () => {
    const asked = staticallyFrom("main.tsx").flatMap((file) =>
      outsideFunctions(file, files.get(file) ?? "").map((text) => `${file}: ${text}`),
    );
    expect(asked).toEqual([]);
  });
});

/** What that file and everything that it needs imports without `import()`. */
function staticallyFrom(first: string): string[] {
  const found = new Set([first]);
  for (const file of found)
    for (const [, to] of (files.get(file) ?? "").matchAll(/^(?:import|\} from|export) (?!type )(?:[^"';]*? from )?"(\.[^"]+)"/gm))
      found.add(posix.normalize(posix.join(dirname(file), to as string)));
  return [...found].filter((file) => files.has(file));
}

/** Calls of `t` that run when the module is loaded. */
function outsideFunctions(file: string, text: string): string[] {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) return;
    if (ts.isCallExpression(node) && /^t(?:\.rich)?$/.test(node.expression.getText())) found.push(node.getText());
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

describe("numbers in the texts of the interface", () => {
  test("are written by one module, as are times: in the locale of the texts", () => {
    const own = /\.toLocale(?:Date|Time)?String\(|\.toFixed\(|new Intl\.(?:NumberFormat|DateTimeFormat|RelativeTimeFormat)/;
    const found = [...files].filter(([file, text]) => own.test(text) && !formatting.includes(file)).map(([file]) => file);
    expect(found).toEqual([]);
  });

  // With separators, version 1234 could not be found by searching. Values that count something have other names.
  const plain = "version latest newest restored before after status port pid attempt line number item year id exitCode".split(" ");

  test("are formatted only for counts: versions, statuses and the like stay unformatted", () => {
    const formatted = catalogues.flatMap((name) =>
      [...readFileSync(join(source, "texts", name), "utf8").matchAll(/\{(\w+), number[^}]*\}/g)].map(([text, word]) => ({
        word: word as string,
        says: `${name}: ${text}`,
      })),
    );
    expect(formatted.length).toBeGreaterThan(10);
    expect(formatted.filter(({ word }) => plain.includes(word)).map(({ says }) => says)).toEqual([]);
  });
});

/** `part.key` of each message of a catalogue. */
function keysOf(text: string): string[] {
  const tree = ts.createSourceFile("catalogue.ts", text, ts.ScriptTarget.Latest, true);
  const keys: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && ts.isStringLiteralLike(node.initializer)) {
      const part = node.parent.parent;
      if (ts.isPropertyAssignment(part)) keys.push(`${part.name.getText()}.${node.name.getText()}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return keys;
}
