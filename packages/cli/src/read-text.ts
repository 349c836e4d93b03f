import { readFileSync } from "node:fs";
import { exitCodes, Failure } from "./failure.ts";

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of its path is no folder",
  EACCES: "you may not read it",
};

/** The text of a file named on the command line, without a byte order mark; `-` is standard input. @throws {Failure} */
export function readText(file: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8").replace(/^\ufeff/, "");
  } catch (error) {
    throw unreadable(file, error);
  }
}

export function unreadable(file: string, error: unknown): Failure {
  const { code = String(error) } = error as NodeJS.ErrnoException;
  return new Failure(code === "ENOENT" ? exitCodes.notFound : exitCodes.failed, `${file} can't be read: ${reasons[code] ?? code}`);
}
