import { styleText } from "node:util";
import type { Check } from "@millrace/server/doctor/check.ts";
import { Command } from "commander";
// biome-ignore lint/correctness/useImportExtensions: the declaration file beside it isn't the code that runs
import { findTooFewFiles } from "../../../../scripts/open-files.mjs";

/** `millrace doctor`: exit code 1 if there is a problem. */
export function doctorCommand(): Command {
  return new Command("doctor")
    .description("Check what the service needs: settings, disk, port, database, sandbox, container engine or cluster")
    .option("--json", "output JSON")
    .action(async ({ json }: { json?: true }) => {
      const { checkMachine } = await import("@millrace/server/doctor-command.ts");
      // biome-ignore lint/style/noProcessEnv: the settings of the service are the environment of this program
      const checks = [checkNode(), checkOpenFiles(), ...(await checkMachine(process.env))];
      process.stdout.write(json ? `${JSON.stringify(checks, null, 2)}\n` : checks.map(describe).join(""));
      if (checks.some(({ status }) => status === "problem")) process.exitCode = 1;
    });
}

/** An older version has already been rejected before anything was loaded. */
function checkNode(): Check {
  return { name: "node", status: "ok", message: `${process.versions.node} on ${process.platform} ${process.arch}` };
}

function checkOpenFiles(): Check {
  const problem = findTooFewFiles();
  return { name: "open files", status: problem === undefined ? "ok" : "problem", message: problem ?? "the limit is high enough" };
}

const colors = { ok: "green", warning: "yellow", problem: "red" } as const;

function describe({ name, status, message, remedy }: Check): string {
  const mark = paint(colors[status], status.padEnd(7));
  const more = remedy === undefined ? "" : `\n${" ".repeat(21)}→ ${remedy}`;
  return `${mark}  ${name.padEnd(11)} ${message}${more}\n`;
}

/** Only on a terminal with colors; NO_COLOR and TERM=dumb mean no colors. */
function paint(color: (typeof colors)[keyof typeof colors], text: string): string {
  return process.stdout.isTTY && process.stdout.hasColors() ? styleText(color, text) : text;
}
