// Every relative link of every Markdown file leads to a file that exists, and its #anchor to a heading of that file.
// Links to other sites are not followed: a check must not depend on the network.
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { root, sourceFiles } from "./sources.mjs";

const link = /(?<!!)\[(?:[^\]\\]|\\.)*\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g;
const image = /!\[[^\]]*\]\(\s*<?([^)\s>]+)>?[^)]*\)/g;

/** The text without code blocks and code spans, where brackets are not links; line numbers are kept. */
function prose(text) {
  return text.replace(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1[^\n]*$/gm, (block) => block.replace(/[^\n]/g, "")).replace(/`[^`\n]*`/g, "");
}

/** GitHub's rule: lower case, punctuation dropped, spaces become hyphens, a repeated heading gets a number. */
function anchors(text) {
  const seen = new Map();
  const found = new Set();
  const headings = text.replace(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1[^\n]*$/gm, "").matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm);
  for (const [, heading] of headings) {
    const slug = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-");
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    found.add(count === 0 ? slug : `${slug}-${count}`);
  }
  for (const [, id] of text.matchAll(/<a\s+(?:id|name)="([^"]+)"/g)) found.add(id);
  return found;
}

function problemOf(file, target) {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return undefined;
  const [path, anchor] = target.split("#");
  const aim = path === "" ? file : posix.normalize(posix.join(dirname(file), decodeURIComponent(path)));
  if (aim.startsWith("..")) return "leads out of the repository";
  const absolute = join(root, aim);
  if (!existsSync(absolute)) return "leads to nothing";
  if (anchor === undefined || anchor === "" || statSync(absolute).isDirectory() || !aim.endsWith(".md")) return undefined;
  return anchors(readFileSync(absolute, "utf8")).has(decodeURIComponent(anchor)) ? undefined : `${aim} has no heading #${anchor}`;
}

let problems = 0;
let links = 0;
for (const file of sourceFiles(/\.md$/)) {
  const text = prose(readFileSync(join(root, file), "utf8"));
  for (const match of [...text.matchAll(link), ...text.matchAll(image)]) {
    links++;
    const problem = problemOf(file, match[1]);
    if (problem === undefined) continue;
    problems++;
    const line = text.slice(0, match.index).split("\n").length;
    console.log(`${file}:${line}: ${match[1]}: ${problem}`);
  }
}
console.log(`${links} links, ${problems} broken`);
process.exitCode = problems === 0 ? 0 : 1;
