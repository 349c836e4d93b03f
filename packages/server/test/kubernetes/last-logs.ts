import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const shownLines = 8;

/** The ends of the programs' logs, to find out why the cluster does not work. */
export function lastLogs(folder: string): string {
  if (!existsSync(folder)) return "";
  const files = readdirSync(folder).filter((name) => name.endsWith(".log"));
  const endOf = (file: string) => readFileSync(join(folder, file), "utf8").trimEnd().split("\n").slice(-shownLines).join("\n");
  return files.map((file) => `${file}:\n${endOf(file)}`).join("\n");
}
