import { spawn } from "node:child_process";
import { systemPath } from "../steps/view.ts";
import type { Identity } from "./identity.ts";

export interface ToolEnd {
  /** -1 when it could not be started. */
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a program of the system to its end, with the service's rights or a user's, and an environment of its own. Never rejects. */
export function runTool(file: string, args: readonly string[], user?: Identity): Promise<ToolEnd> {
  return new Promise((resolve) => {
    const child = spawn(file, args, { stdio: ["ignore", "pipe", "pipe"], env: { PATH: systemPath, LC_ALL: "C" }, cwd: "/", ...user });
    const output = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output.stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      output.stderr += text;
    });
    child.on("error", (error) => resolve({ code: -1, stdout: "", stderr: error.message }));
    child.on("close", (code) => resolve({ code: code ?? -1, ...output }));
  });
}
