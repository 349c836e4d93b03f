import { execFile } from "node:child_process";

/** Runs a command to its end and returns its output. @throws {Error} with the command and its error output */
export function runCommand(file: string, args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(file, args, { maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${file} ${args.join(" ")}: ${stderr.trim() || error.message}`));
    });
  });
}
