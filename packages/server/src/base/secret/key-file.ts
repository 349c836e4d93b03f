import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { faultOf, StartError } from "../error/start-error.ts";
import { Keyring, newKeyText, parseKeys } from "./keyring.ts";

/** The keys themselves, or the file that holds them. */
export type KeySource = { text: string; origin: string } | { file: string; isMadeIfMissing: boolean };

/** @throws StartError when there is no key where one should be, or it is none */
export function openKeyring(source: KeySource): Keyring {
  if ("text" in source) return parse(source.text, source.origin);
  return parse(readKeyFile(source.file) ?? makeKeyFile(source), source.file);
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
