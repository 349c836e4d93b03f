import { Command } from "commander";
import { confirm } from "../connection/read-secret.ts";
import { exampleCommand } from "./client-command.ts";

/** `millrace admin …`: for operators on the service's machine, with its settings. Needs no token. */
export function adminCommands(): Command {
  const admin = new Command("admin").description("Restore access, and replace the encryption key, on the machine of the service");
  const reset = exampleCommand("reset-access", "Create a new administrator token, and revoke that of the first start", [
    "admin reset-access",
    "admin reset-access --end-sessions --yes",
  ])
    .option("--end-sessions", "also sign out all users, in all browsers")
    .option("--yes", "don't ask for confirmation")
    .action(resetAccess);
  const rotate = exampleCommand("rotate-key", "Replace the encryption key while the service runs", ["admin rotate-key"])
    .addHelpText("after", "\nYou can interrupt it at any time, and run it again: it continues where it was.")
    .action(() => run("rotate-key"));
  for (const one of [reset, rotate]) admin.addCommand(one);
  return admin;
}

async function resetAccess({ endSessions, yes }: { endSessions?: true; yes?: true }): Promise<void> {
  await confirm(`End the administrator token of the first start${endSessions ? " and all sessions" : ""}`, yes === true);
  await run("reset-access", ...(endSessions ? ["--end-sessions"] : []));
}

async function run(...args: string[]): Promise<void> {
  const { main } = await import("@millrace/server/admin-command.ts");
  await main(args);
}
