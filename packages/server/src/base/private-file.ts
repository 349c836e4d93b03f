import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Writes a file that only its owner may read (0600), whole or not at all; what stood there before is replaced. */
export function writePrivateFile(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(draft, text, { mode: 0o600, flush: true });
  renameSync(draft, file);
}
