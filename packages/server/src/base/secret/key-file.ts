import { closeSync, fstatSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { faultOf, StartError } from "../error/start-error.ts";
import { Keyring, newKeyText, parseKeys, withoutComments } from "./keyring.ts";

/** The keys themselves, or the file that contains them. */
export type KeySource = { text: string; origin: string } | { file: string; isMadeIfMissing: boolean };

/** @throws StartError if a key is missing or invalid */
export function openKeyring(source: KeySource): Keyring {
  if ("text" in source) return parse(source.text, source.origin);
  return parse(readKeyFile(source.file) ?? makeKeyFile(source), source.file);
}

/** The keys in a file, in order, the sealing one first, and its comments. @throws StartError */
export function readKeyTexts(file: string): { keys: string[]; comments: string[] } {
  const text = readKeyFile(file);
  if (text === undefined) throw new StartError(`There is no encryption key in ${file}`);
  parse(text, file);
  const comments = text.split("\n").filter((line) => line.startsWith("#"));
  return {
    keys: withoutComments(text)
      .split(/[\s,]+/)
      .filter((word) => word !== ""),
    comments,
  };
}

/** The id of a key. */
export function keyIdOf(key: string): string {
  return new Keyring(parseKeys(key, "the key")).fingerprint();
}

/**
 * Replaces the content of the file with a single write, on disk when it returns: a killed process leaves the old text or the new one. Not
 * by creating a new file in its place: that would need the rights of its folder, and would undo what hides the file from running steps.
 * @throws StartError
 */
export function writeKeyTexts(file: string, { keys, comments }: { keys: readonly string[]; comments: readonly string[] }): void {
  const text = [...keys, ...comments].map((line) => `${line}\n`).join("");
  try {
    const handle = openSync(file, "r+");
    try {
      // Padded with line ends to the old length, because truncating the file would be a second step.
      writeSync(handle, text.padEnd(fstatSync(handle).size, "\n"), 0);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch (cause) {
    throw faultOf(cause, `The encryption keys cannot be written to ${file}`);
  }
}

function parse(text: string, origin: string): Keyring {
  try {
    return new Keyring(parseKeys(text, origin));
  } catch (cause) {
    throw new StartError((cause as Error).message, { cause });
  }
}

function readKeyFile(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw faultOf(cause, `The encryption key in ${file} cannot be read`);
  }
}

/** Linked into place with its content, so that of two processes one wins and neither sees half a key. */
function makeKeyFile({ file, isMadeIfMissing }: { file: string; isMadeIfMissing: boolean }): string {
  if (!isMadeIfMissing) throw new StartError(`There is no encryption key in ${file}; create one with: openssl rand -base64 32`);
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(draft, `${newKeyText()}\n`, { mode: 0o600, flush: true });
    linkSync(draft, file);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== "EEXIST") throw faultOf(cause, `The encryption key cannot be written to ${file}`);
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(file, "utf8");
}
