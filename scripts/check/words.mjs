// Words that nobody outside of this repository uses for the thing: each has a common one. They are found anywhere in the tree, so
// that they do not come back; and no file lies about that is empty or that nothing but an accident made.
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
const words = [...instead].map(([word, better]) => {
  // Alone, or as a part of a name: `deedButton`, `findDeed`.
  const capitalised = word.replace(/^./, (first) => first.toUpperCase());
  return { better, pattern: new RegExp(`(?<![A-Za-z])${word}(?![a-z])|(?<![A-Z])${capitalised}(?![a-z])`, "g") };
});

/** Where the words themselves are the subject, or a foreign text is kept as it came. */
const exempt = /^(?:scripts\/check\/words\.mjs|package-lock\.json|CHANGELOG\.md)$|\/(?:data|fixtures)\/|\.(?:png|ico|woff2|gz|svg|snap)$/;
/** Files that may be empty: they make a folder or a package. */
const mayBeEmpty = /(?:^|\/)(?:\.gitkeep|\.npmignore|__init__\.py)$/;
/** A file at the root that no tool and no reader asks for was left by a command that went wrong. */
const atRoot = /^(?:[A-Z]+(?:\.md)?|\.[\w.-]+|[\w.-]+\.(?:json|ts|mjs|md|yaml|yml))$/;

const problems = [];
for (const file of sourceFiles(/./)) {
  if (statSync(join(root, file)).size === 0 && !mayBeEmpty.test(file)) problems.push(`${file}: is empty`);
  if (!file.includes("/") && !atRoot.test(file)) problems.push(`${file}: what is it for? Nothing of this kind belongs at the root`);
  if (exempt.test(file)) continue;
  for (const { better, pattern } of words) if (basename(file).search(pattern) >= 0) problems.push(`${file}: its name; say ${better}`);
  const lines = readFileSync(join(root, file), "utf8").split("\n");
  lines.forEach((line, index) => {
    for (const { better, pattern } of words)
      for (const [found] of line.matchAll(pattern)) problems.push(`${file}:${index + 1}: "${found}"; say ${better}`);
  });
}
for (const problem of problems) console.log(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
