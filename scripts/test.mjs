// `npm test`: installs what is missing, then runs the whole suite. Further arguments go to vitest: `npm test -- store`.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { root } from "./install.mjs";
import { runInstalled } from "./run.mjs";

await runInstalled(runVitest);

async function runVitest() {
  const { buildPrograms } = await import("../packages/server/catalog/build-programs.mjs");
  await buildPrograms(join(root, "dist/programs"));
  const { NODE_ENV: _, ...env } = process.env;
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const child = spawn(process.execPath, [vitest, "run", ...process.argv.slice(2)], { cwd: root, env, stdio: "inherit" });
  // Ctrl-C reaches the child by itself; a signal to npm alone only reaches us.
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  process.on("SIGINT", () => {});
  process.exitCode = await new Promise((done) => child.on("close", (code) => done(code ?? 1)));
}
