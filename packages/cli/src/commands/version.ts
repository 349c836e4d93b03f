import { Command } from "commander";

/** `millrace version` */
export function versionCommand(): Command {
  return new Command("version")
    .description("Show the versions of Millrace, of Node and of the database schema")
    .option("--json", "output JSON")
    .action(async ({ json }: { json?: true }) => {
      const { readVersions } = await import("@millrace/server/read-versions.ts");
      const versions = await readVersions();
      const lines = Object.entries(versions).map(([name, version]) => `${name.padEnd(8)} ${version}`);
      process.stdout.write(`${json ? JSON.stringify(versions) : lines.join("\n")}\n`);
    });
}
