import { resolve } from "node:path";
import { Command } from "commander";

const moveHelp = `
Stop the service first. Afterwards the old database is no longer started; the output says what to set.

Examples:
  $ millrace db move --to postgres://millrace@db.internal/millrace
  $ DATABASE_URL=postgres://millrace:password@db.internal/millrace millrace db move`;

/** `millrace db …`: the same as `npm run db` in a checkout. */
export function dbCommands(): Command {
  const db = new Command("db").description("Back up, restore and move all data, and maintain the schema and the encryption keys");
  db.command("backup")
    .description("Write all data into a file, even while the service runs")
    .argument("<FILE>", "the file to create")
    .action((file: string) => run("backup", resolve(file)));
  db.command("restore")
    .description("Restore a backup into an empty database")
    .argument("<FILE>", "a file that db backup wrote")
    .action((file: string) => run("restore", resolve(file)));
  db.command("migrate")
    .description("Update the schema before you start processes of this version, which otherwise do it themselves")
    .action(() => run("migrate"));
  db.command("move")
    .description("Move all data from the embedded database into an empty one on a PostgreSQL server")
    .option("--to <URL>", "the server and database, as in DATABASE_URL; without it, DATABASE_URL itself")
    .addHelpText("after", moveHelp)
    .action(({ to }: { to?: string }) => run("move", ...(to === undefined ? [] : ["--to", to])));
  const keys = db.command("keys").description("Show and replace encryption keys");
  keys
    .command("status")
    .description("Show what each key encrypts")
    .action(() => run("keys", "status"));
  keys
    .command("reseal")
    .description("Encrypt all secrets again, with the first key")
    .action(() => run("keys", "reseal"));
  keys
    .command("forget")
    .description("Give up a lost key, and the secrets encrypted with it")
    .argument("<KEY-ID>", "as shown by db keys status")
    .action((id: string) => run("keys", "forget", id));
  return db;
}

async function run(...args: string[]): Promise<void> {
  const { main } = await import("@millrace/server/db-command.ts");
  await main(args);
}
