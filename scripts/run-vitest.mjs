import { spawn } from "node:child_process";
import { join } from "node:path";
import { root } from "./install.mjs";

/**
 * Builds what the tests need, then runs them. Further arguments are passed to vitest.
 * @param {string[]} args
 * @returns {Promise<number>} the exit code
 */
export async function runVitest(args) {
  const { buildPrograms } = await import("../packages/server/catalog/build-programs.mjs");
  await buildPrograms(join(root, "dist/programs"));
  const { NODE_ENV: _, ...env } = process.env;
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const child = spawn(process.execPath, [vitest, "run", ...args], { cwd: root, env, stdio: "inherit" });
  // Ctrl-C also reaches the child; a signal to npm alone only reaches this process.
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  process.on("SIGINT", () => {});
  return new Promise((done) => child.on("close", (code) => done(code ?? 1)));
}
