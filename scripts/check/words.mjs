// Words that nobody outside of this repository uses in that sense: each has a common alternative. They are searched for in the whole tree,
// so that they do not return; and no file may be empty or left behind by accident.
import { readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { root, sourceFiles } from "./sources.mjs";

/** The word (with its forms) and what to write instead. */
const instead = new Map([
  ["deeds?", "action, command or operation"],
  ["errands?", "job"],
  ["forerunners?", "ancestor, upstream or former"],
  ["hindrances?", "blocker"],
  ["surroundings", "context or dependencies"],
  ["mend(?:s|ed|ing|able)?", "fix or repair"],
  ["rungs?", "step or level"],
]);
/**
 * Phrases that a native writer would not use, in what people read: documents, messages, comments, names of tests. The texts of the
 * interface have a catalogue of their own, and migrations are never edited.
 */
const phrases = new Map([
  ["whoever", "anyone who, or the person or program that does it"],
  ["(?:him|her)self", "themselves, or you"],
  ["(?:some|any|every)body", "someone, anyone, everyone"],
  ["anew", "again"],
  ["by hand", "manually"],
  ["(?:is|are|was|were|be) told", "is informed, is notified, is reported, gets"],
  ["stays? as (?:it|they) (?:is|are|was|were)", "does not change, or stays unchanged"],
  ["(?:becomes?|became) of", "happens to, or outcome"],
  ["(?:take|takes|taken) back", "undo, revoke, discard, reclaim"],
  ["newcomers?", "new user"],
  ["in (?:its|his) turn", "when it is ready, or queued"],
  ["one of a kind", "unique"],
]);
const words = [...instead].map(([word, better]) => {
  // Alone, or as a part of a name: `deedButton`, `findDeed`.
  const capitalised = word.replace(/^./, (first) => first.toUpperCase());
  return { better, pattern: new RegExp(`(?<![A-Za-z])${word}(?![a-z])|(?<![A-Z])${capitalised}(?![a-z])`, "g") };
});

/** Files about the words themselves, or with a foreign text that is kept unchanged. */
const exempt = /^(?:scripts\/check\/words\.mjs|package-lock\.json|CHANGELOG\.md)$|\/(?:data|fixtures)\/|\.(?:png|ico|woff2|gz|svg|snap)$/;
/** Files that may be empty: they create a folder or a package. */
const mayBeEmpty = /(?:^|\/)(?:\.gitkeep|\.npmignore|__init__\.py)$/;
/** A file at the root that no tool and no reader needs was left by a failed command. */
const atRoot = /^(?:[A-Z]+(?:\.md)?|\.[\w.-]+|[\w.-]+\.(?:json|ts|mjs|md|yaml|yml))$/;

const sentences = [...phrases].map(([phrase, better]) => ({ better, pattern: new RegExp(`(?<![\\w-])(?:${phrase})(?![\\w-])`, "gi") }));
/** Where the phrases are searched for: everything that people read, except the interface. */
const read = /^(?:packages\/(?:server|contract)\/|scripts\/|deploy\/|docs\/|[A-Z]+\.md$)/;
const unread = /\/migrations\/|\.sql$|openapi\.json$/;

const problems = [];
for (const file of sourceFiles(/./)) {
  if (statSync(join(root, file)).size === 0 && !mayBeEmpty.test(file)) problems.push(`${file}: is empty`);
  if (!file.includes("/") && !atRoot.test(file)) problems.push(`${file}: what is it for? Nothing of this kind belongs at the root`);
  if (exempt.test(file)) continue;
  for (const { better, pattern } of words) if (basename(file).search(pattern) >= 0) problems.push(`${file}: its name; say ${better}`);
  const wanted = read.test(file) && !unread.test(file) ? [...words, ...sentences] : words;
  const lines = readFileSync(join(root, file), "utf8").split("\n");
  lines.forEach((line, index) => {
    for (const { better, pattern } of wanted)
      for (const [found] of line.matchAll(pattern)) problems.push(`${file}:${index + 1}: "${found}"; say ${better}`);
  });
}
for (const problem of problems) console.log(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
