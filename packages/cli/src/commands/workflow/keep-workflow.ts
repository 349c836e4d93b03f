import type { Command } from "commander";
import { type Connection, connect } from "../../connection/connect.ts";
import { plainLine } from "../../output/plain-text.ts";
import { type Format, outputOption, type Printed, printList } from "../../output/print.ts";
import { write } from "../../output/terminal.ts";
import { exampleCommand } from "../client-command.ts";

/** Archiving workflows for everyone, and marking favourites. */
export function keepCommands(): Command[] {
  const onEach = (name: string, does: string, act: (connection: Connection, workflow: string) => Promise<unknown>, done: string) =>
    exampleCommand(name, does, [`workflow ${name} nightly`])
      .argument("<WORKFLOW...>", "names or IDs of workflows")
      .action(async (workflows: string[], _: unknown, command: Command) => {
        const connection = connect(command);
        for (const workflow of workflows) {
          await act(connection, workflow);
          write(`${done} workflow ${plainLine(workflow)}`);
        }
      });
  const place = async (connection: Connection, workflow: string) => ({ params: { path: { team: await connection.team(), workflow } } });
  const archived = "/api/v2/team/{team}/workflow/{workflow}/archive";
  const marked = "/api/v2/team/{team}/workflow/{workflow}/favourite";
  return [
    onEach(
      "archive",
      "Archive workflows: they can't be started, and lists leave them out",
      async (connection, workflow) => connection.client.put(archived, await place(connection, workflow)),
      "Archived",
    ),
    onEach(
      "restore",
      "Restore archived workflows",
      async (connection, workflow) => connection.client.delete(archived, await place(connection, workflow)),
      "Restored",
    ),
    onEach(
      "mark",
      "Add workflows to your favourites",
      async (connection, workflow) => connection.client.put(marked, await place(connection, workflow)),
      "Marked",
    ),
    onEach(
      "unmark",
      "Remove workflows from your favourites",
      async (connection, workflow) => connection.client.delete(marked, await place(connection, workflow)),
      "Unmarked",
    ),
    exampleCommand("favourites", "List your favourites", ["workflow favourites", "workflow favourites -o name"])
      .addOption(outputOption())
      .action(listFavourites),
  ];
}

const printed: Printed<{ name: string; displayName?: string | null; status?: string | null }> = {
  columns: [
    { header: "NAME", value: ({ name }) => name },
    { header: "STATUS", value: ({ status }) => status ?? "", isStatus: true },
    { header: "DISPLAY NAME", value: ({ displayName }) => displayName ?? "", canBeCut: true },
  ],
  nameOf: ({ name }) => name,
};

async function listFavourites({ output }: { output: Format }, command: Command): Promise<void> {
  const connection = connect(command);
  const query = { favourites: true, withTasks: false, limit: 200, page: 0 };
  const params = { path: { team: await connection.team() }, query };
  const { content } = await connection.client.get("/api/v2/team/{team}/workflow/query", { params });
  await printList(output, content, printed);
}
