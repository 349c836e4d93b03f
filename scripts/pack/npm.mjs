// The npm that runs this program, or the one on the path; its settings for this program are not passed on to the inner one.
import { execFileSync } from "node:child_process";

/** @returns {string} its output */
export function npm(args, cwd) {
  const cli = process.env.npm_execpath ?? "";
  const [command, ...before] = /npm-cli\.[cm]?js$/.test(cli) ? [process.execPath, cli] : ["npm"];
  const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !/^npm_/i.test(key)));
  return execFileSync(command, [...before, ...args], { cwd, env, encoding: "utf8", maxBuffer: 64e6, stdio: ["ignore", "pipe", "inherit"] });
}
