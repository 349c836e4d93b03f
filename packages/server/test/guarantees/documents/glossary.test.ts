import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { ordinaryWords } from "../../kit/documents/ordinary-words.ts";

const root = fileURLToPath(new URL("../../../../..", import.meta.url));
const folders = ["packages/server/src", "packages/contract/src"];

test("every word of the domain in an exported name is in the glossary", () => {
  const known = new Set([...glossary(), ...ordinaryWords]);
  const unknown = exportedNames().flatMap((name) =>
    wordsOf(name)
      .filter((word) => !stemsOf(word).some((stem) => known.has(stem)))
      .map((word) => `${word} (${name})`),
  );
  expect([...new Set(unknown)]).toEqual([]);
});

test("no word is ordinary and of the domain at once", () => {
  const domain = glossary();
  expect([...ordinaryWords].filter((word) => domain.has(word))).toEqual([]);
});

test("every word that counts as ordinary is in an exported name", () => {
  const used = new Set(exportedNames().flatMap(wordsOf).flatMap(stemsOf));
  expect([...ordinaryWords].filter((word) => !used.has(word))).toEqual([]);
});

/** The first column of the table in ARCHITECTURE.md. */
function glossary(): Set<string> {
  const [, section] = readFileSync(join(root, "ARCHITECTURE.md"), "utf8").split("\n## Glossary\n");
  const rows = (section as string).split("\n## ")[0]!.matchAll(/^\| (?!Word )([a-z][^|]*) \|/gm);
  return new Set([...rows].flatMap(([, words]) => (words as string).split(/[ ,-]+/)));
}

function exportedNames(): string[] {
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
      .map((path) => join(root, folder, path)),
  );
  const declaration = /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;
  return files.flatMap((file) => [...readFileSync(file, "utf8").matchAll(declaration)].map(([, name]) => name as string));
}

/** `readWebhookSecret`: read, webhook, secret. Numbers and parts of one or two letters don't count as words. */
function wordsOf(name: string): string[] {
  const apart = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2");
  return apart
    .toLowerCase()
    .split(/[ _]/)
    .filter((word) => /^[a-z]{3,}$/.test(word));
}

/** The word and the forms that it may be derived from: plurals, past tenses, agent nouns and verbs; `settings`, `setting`, `set`. */
function stemsOf(word: string): string[] {
  const stems = new Set([word]);
  for (const stem of stems) for (const shorter of withoutEnding(stem)) stems.add(shorter);
  return [...stems];
}

function withoutEnding(word: string): string[] {
  const stems = /i(?:es|ed)$/.test(word) ? [`${word.slice(0, -3)}y`] : [];
  for (const ending of ["s", "es", "d", "ed", "ing", "er", "or", "ion"]) {
    if (!word.endsWith(ending) || word.length < ending.length + 3) continue;
    const stem = word.slice(0, -ending.length);
    stems.push(stem, `${stem}e`);
    if (/(.)\1$/.test(stem)) stems.push(stem.slice(0, -1));
  }
  return stems;
}
