import { Command } from "commander";
// biome-ignore lint/correctness/useImportExtensions: the declaration file beside it isn't the code that runs
import { findTooFewFiles } from "../../../../scripts/open-files.mjs";

/** `millrace serve`: starts the service, like `npm start` in a checkout. */
export function serveCommand(): Command {
  return new Command("serve")
    .description("Start the service: API, engine, worker and interface, with an embedded database unless DATABASE_URL is set")
    .addHelpText(
      "after",
      "\nIts data is in .millrace in the current folder, unless MILLRACE_DATA_DIR names another. Ctrl-C or SIGTERM stops it.",
    )
    .action(serve);
}

/** Until the service handles signals itself, a signal ends the process with exit code 0: nothing was lost. */
async function serve(): Promise<void> {
  const tooFewFiles = findTooFewFiles();
  if (tooFewFiles !== undefined) {
    process.stderr.write(`millrace: ${tooFewFiles}\n`);
    process.exit(1);
  }
  const names = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
  const stop = () => process.exit(0);
  for (const name of names) process.on(name, stop);
  // Stack traces then name our source files instead of the bundle.
  process.setSourceMapsEnabled(true);
  await import("@millrace/server/main.ts");
  for (const name of names) process.off(name, stop);
}
