// `npm start`: installs and builds what is missing, then runs the service in this very process, so that signals reach it.
import { readFileSync } from "node:fs";
import { join } from "node:path";

// Before anything else is loaded: with too few of them even that fails, with a stack and nothing else.
requireOpenFiles();
const { bundle } = await import("./bundle.mjs");
const { root } = await import("./install.mjs");
const { runProgram } = await import("./run.mjs");

await runProgram("packages/server/src/main.ts", process.argv.slice(2), async () => {
  // Found by the service beside its own bundle.
  await bundle("packages/server/src/heartbeat-thread.ts");
  const { buildPrograms } = await import("../packages/server/catalog/build-programs.mjs");
  await buildPrograms(join(root, "dist/programs"));
  // biome-ignore lint/correctness/useImportExtensions: the declaration beside it is not what runs
  const { buildWeb } = await import("./build-web.mjs");
  await buildWeb();
});

/** The service, its database and one task have to fit. Node has already raised the limit as far as it may. */
function requireOpenFiles() {
  const least = 256;
  const limit = readOpenFiles();
  if (limit >= least) return;
  console.error(
    `millrace: A process may open only ${limit} files here, and Millrace needs ${least} at least. Raise the limit, for example with: ulimit -n 4096 (systemd: LimitNOFILE=4096, Docker: --ulimit nofile=4096)`,
  );
  process.exit(1);
}

function readOpenFiles() {
  if (process.platform !== "linux") return Number.POSITIVE_INFINITY;
  const [, soft = "unlimited"] = /^Max open files +(\S+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
  return soft === "unlimited" ? Number.POSITIVE_INFINITY : Number(soft);
}
