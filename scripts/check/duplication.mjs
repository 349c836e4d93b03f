// No passage of code exists twice: found by jscpd's detector. Imports are ignored (they are alike by nature), and so are generated files
// and tests, where a plain repetition often reads better than a shared helper. The aim is to find copies, not coincidences.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Detector } from "@jscpd/core";
import { Tokenizer } from "@jscpd/tokenizer";
import { root, sourceFiles } from "./sources.mjs";

/** Uses Node's hash: the detector's own is in JavaScript and takes as long as everything else. */
const hashFunction = (text) => createHash("md5").update(text).digest("hex");
const options = { minLines: 10, minTokens: 75, maxLines: 10_000, maxSize: "1mb", hashFunction };
const importStatement = /^import\s[^;]*;$/gm;

/** Like the detector's own store, which in addition creates an error with its stack for each new piece of code, although nothing reads it. */
class PassageStore {
  #passages = new Map();
  #namespace = "";
  namespace(name) {
    this.#namespace = name;
  }
  get(key) {
    const passage = this.#passages.get(`${this.#namespace} ${key}`);
    return passage === undefined ? Promise.reject() : Promise.resolve(passage);
  }
  set(key, passage) {
    this.#passages.set(`${this.#namespace} ${key}`, passage);
    return Promise.resolve(passage);
  }
  close() {}
}

function language(file) {
  return file.endsWith(".ts") || file.endsWith(".tsx") ? "typescript" : "javascript";
}

const files = sourceFiles(/^(packages\/[^/]+\/(src|bench)|scripts)\/.*\.(ts|tsx|mjs)$/).filter(
  (file) => !/\.(test|generated)\.tsx?$/.test(file),
);
const detector = new Detector(new Tokenizer(), new PassageStore(), [], options);
const clones = [];
for (const file of files) {
  const text = readFileSync(join(root, file), "utf8").replace(importStatement, (statement) => statement.replace(/[^\n]/g, ""));
  clones.push(...(await detector.detect(file, text, language(file))));
}
const isLongEnough = ({ duplicationA: { start, end } }) => end.line - start.line >= options.minLines;
const findings = clones.filter(isLongEnough);
for (const { duplicationA: a, duplicationB: b } of findings) {
  console.log(`${a.sourceId}:${a.start.line}-${a.end.line} is the same as ${b.sourceId}:${b.start.line}-${b.end.line}`);
}
console.log(`${files.length} files, ${findings.length} copies`);
process.exitCode = findings.length === 0 ? 0 : 1;
