import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { exitCodes, Failure } from "../failure.ts";
import { readText, unreadable } from "../read-text.ts";

/** The documents of several files as one YAML stream that knows the origin of each line. */
export interface DocumentSet {
  text: string;
  /** E.g. `nightly.yaml:12`, or only the file if the line in it is unknown. Undefined: no file contains that line. */
  placeOf(line: number): string | undefined;
}

interface Part {
  file: string;
  /** The line in the stream, from 1. */
  firstLine: number;
  lines: number;
  isAsWritten: boolean;
}

const separator = "---\n";

/** @param paths files, folders (read recursively), or `-` for standard input. @throws {Failure} */
export function readDocuments(paths: readonly string[]): DocumentSet {
  const files = paths.flatMap((path) => (path === "-" ? [path] : findFiles(path)));
  if (files.length === 0) throw new Failure(exitCodes.notFound, `${paths.join(", ")} has no documents`, "They end in .yaml, .yml or .json");
  const parts: Part[] = [];
  let [text, line] = ["", 1];
  for (const file of files) {
    const content = readContent(file);
    const begin = text === "" ? "" : separator;
    const lines = content.text.split("\n").length - 1;
    parts.push({
      file: file === "-" ? "standard input" : file,
      firstLine: line + (begin === "" ? 0 : 1),
      lines,
      isAsWritten: content.isAsWritten,
    });
    text += begin + content.text;
    line += lines + (begin === "" ? 0 : 1);
  }
  return { text, placeOf: (at) => placeOf(parts, at) };
}

function placeOf(parts: readonly Part[], line: number): string | undefined {
  const part = parts.find(({ firstLine, lines }) => line >= firstLine && line < firstLine + Math.max(1, lines));
  if (part === undefined) return undefined;
  return part.isAsWritten ? `${part.file}:${line - part.firstLine + 1}` : part.file;
}

/** In alphabetical order, so that the result is always the same. Hidden files are left out. */
function findFiles(path: string): string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
    const entries = readdirSync(path, { withFileTypes: true }).filter(({ name }) => !name.startsWith(".") && name !== "node_modules");
    return entries
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap((entry) => {
        const inner = join(path, entry.name);
        if (entry.isDirectory()) return findFiles(inner);
        return /\.(ya?ml|json)$/i.test(entry.name) && statSync(inner).isFile() ? [inner] : [];
      });
  } catch (error) {
    throw unreadable(path, error);
  }
}

function readContent(file: string): { text: string; isAsWritten: boolean } {
  const text = readText(file);
  if (/\.json$/i.test(file) || /^\s*\[/.test(text)) return { text: readJson(file, text), isAsWritten: false };
  return { text: text.endsWith("\n") ? text : `${text}\n`, isAsWritten: true };
}

/** JSON is YAML, but an array of documents isn't a YAML stream. */
function readJson(file: string, text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return (Array.isArray(value) ? value : [value]).map((one) => `${JSON.stringify(one)}\n`).join(separator);
  } catch (error) {
    throw new Failure(exitCodes.notUnderstood, `${file} is not valid JSON: ${(error as Error).message}`);
  }
}
