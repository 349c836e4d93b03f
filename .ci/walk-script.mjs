// Turns a document into a shell script that runs its marked blocks one after the other and checks what they print.
// A document with `<!-- walk after OTHER -->` begins with the first block of that one, where the settings are that both use.
// Blocks that need a container engine or a cluster are marked `<!-- walk container -->` and `<!-- walk kubernetes -->`; they are run instead
// of the others when that word is given.
// Usage: node walk-script.mjs DOCUMENT URL OUTPUT_FILE [container|kubernetes]
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const [document, url, output, tier] = process.argv.slice(2);
const text = readFileSync(document, "utf8");
const blocksOf = (content, word = "") =>
  [...content.matchAll(/^<!-- walk(?: (container|kubernetes))?(?:: (.*?))? -->\n```sh\n([\s\S]*?)^```$/gm)].filter(
    ([, marked = ""]) => marked === word,
  );
const blocks = blocksOf(text, tier);
if (blocks.length === 0) throw new Error(`${document} has no block marked with <!-- walk${tier ? ` ${tier}` : ""} -->`);
const before = /^<!-- walk after (\S+) -->$/m.exec(text)?.[1];
const [settings] = before ? blocksOf(readFileSync(join(dirname(document), before), "utf8")) : [];

const quote = (value) => `'${value.replaceAll("'", `'\\''`)}'`;
const atAddress = (code) => code.replaceAll("http://127.0.0.1:8080", url);
const lines = [
  "set -euo pipefail",
  // The script's own messages bypass the output of the block in which it fails.
  "exec 3>&1",
  // Processes that a block has started in the background end with the script.
  "trap 'kill $(jobs -p) 2>/dev/null || true' EXIT",
  `failed() { { echo "FAILED: $1"; cat ${quote(output)}; } >&3; exit 1; }`,
  ...(settings ? [atAddress(settings[3])] : []),
];
for (const [index, [block, , expected, code]] of blocks.entries()) {
  const place = `${basename(document)}:${text.slice(0, text.indexOf(block)).split("\n").length}`;
  lines.push(
    `trap 'failed ${place}' ERR`,
    `{\n${atAddress(code)}} >${quote(output)} 2>&1`,
    ...(expected ? [`grep -qF -e ${quote(expected)} ${quote(output)} || failed ${quote(`${place}: no sign of ${expected}`)}`] : []),
    `echo ${quote(`ok ${index + 1}/${blocks.length} ${place}`)}`,
  );
}
lines.push("trap - ERR");
process.stdout.write(`${lines.join("\n")}\n`);
