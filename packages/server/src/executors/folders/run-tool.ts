import { spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { systemPath } from "../../base/process/system-path.ts";
import type { Identity } from "./identity.ts";

export interface ToolEnd {
  /** -1 when it could not be started. */
  code: number;
  stdout: string;
  stderr: string;
  /** Why it could not be started. */
  error?: Error;
}

/** Runs a program of the system to its end, with the rights of the service or of a user, and a separate environment. Never rejects. */
export function runTool(file: string, args: readonly string[], user?: Identity): Promise<ToolEnd> {
  return new Promise((resolve) => {
    const child = spawn(file, args, { stdio: ["ignore", "pipe", "pipe"], env: { PATH: systemPath, LC_ALL: "C" }, cwd: "/", ...user });
    const output = { stdout: "", stderr: "" };
    child.on("error", (error) => resolve({ code: -1, stdout: "", stderr: error.message, error }));
    // If too many files are open there are no pipes, whatever the types say.
    const { stdout, stderr } = child as { stdout: Readable | undefined; stderr: Readable | undefined };
    stdout?.setEncoding("utf8").on("data", (text: string) => {
      output.stdout += text;
    });
    stderr?.setEncoding("utf8").on("data", (text: string) => {
      output.stderr += text;
    });
    child.on("close", (code) => resolve({ code: code ?? -1, ...output }));
  });
}
