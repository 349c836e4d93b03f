import type { Schemas } from "@millrace/client/client.ts";
import type { Command } from "commander";
import { connect } from "../../connection/connect.ts";
import { formatDate } from "../../output/format-time.ts";
import { plainLine } from "../../output/plain-text.ts";
import { type Format, outputOption, type Printed, printList } from "../../output/print.ts";
import { notify, write } from "../../output/terminal.ts";
import { listViews } from "../../run/run-filter.ts";
import { exampleCommand, readCount } from "../client-command.ts";

/** Comments on runs, acknowledged failures, and the views that they have saved. */

const printedComments: Printed<Schemas["RunComment"]> = {
  columns: [
    { header: "CREATED", value: ({ creationDate }) => formatDate(creationDate) },
    { header: "BY", value: ({ createdByName }) => createdByName },
    { header: "TEXT", value: ({ text }) => text, canBeCut: true },
  ],
  nameOf: ({ id }) => id,
};

const printedViews: Printed<Schemas["RunView"]> = {
  columns: [
    { header: "NAME", value: ({ name }) => name },
    { header: "SCOPE", value: ({ scope }) => scope },
    { header: "BY", value: ({ createdByName }) => createdByName },
    { header: "FILTER", value: ({ filter }) => JSON.stringify(filter), canBeCut: true },
  ],
  nameOf: ({ name }) => name,
};

export function noteCommands(): Command[] {
  const comment = exampleCommand("comment", "Comment on a run", ['run comment $RUN "The supplier\'s API was down"'])
    .argument("<RUN>", "ID of the run")
    .argument("<TEXT>", "the comment")
    .action(addComment);
  const comments = exampleCommand("comments", "List the comments on a run, oldest first", ["run comments $RUN"])
    .argument("<RUN>", "ID of the run")
    .option("--limit <NUMBER>", "most results to show, up to 1000", readCount, 200)
    .addOption(outputOption())
    .action(listComments);
  const acknowledge = exampleCommand("acknowledge", "Show others that you take care of a failed run", [
    'run acknowledge $RUN --comment "Looking at it"',
    "run acknowledge $RUN --undo",
  ])
    .argument("<RUN...>", "IDs of runs that failed, timed out, are invalid or were cancelled")
    .option("--comment <TEXT>", "shown beside your name")
    .option("--undo", "withdraw the acknowledgement")
    .action(acknowledgeRuns);
  const views = exampleCommand("views", "List saved views, for run list --view", ["run views", "run views -o name"])
    .addOption(outputOption())
    .action(showViews);
  return [comment, comments, acknowledge, views];
}

async function addComment(runId: string, text: string, _: unknown, command: Command): Promise<void> {
  const connection = connect(command);
  const params = { path: { team: await connection.team(), runId } };
  await connection.client.post("/api/v2/team/{team}/workflowrun/{runId}/comment", { params, body: { text } });
  write(`Commented on run ${plainLine(runId)}`);
}

async function listComments(runId: string, { limit, output }: { limit: number; output: Format }, command: Command): Promise<void> {
  const connection = connect(command);
  const params = { path: { team: await connection.team(), runId }, query: { limit } };
  const { content, totalElements } = await connection.client.get("/api/v2/team/{team}/workflowrun/{runId}/comment", { params });
  await printList(output, content, printedComments);
  if (totalElements > content.length) notify(`${content.length} of ${totalElements}. --limit shows more.`);
}

async function acknowledgeRuns(ids: string[], { comment, undo }: { comment?: string; undo?: true }, command: Command): Promise<void> {
  const connection = connect(command);
  const path = "/api/v2/team/{team}/workflowrun/{runId}/acknowledgement";
  for (const runId of ids) {
    const params = { path: { team: await connection.team(), runId } };
    if (undo) await connection.client.delete(path, { params });
    else await connection.client.put(path, { params, body: comment === undefined ? {} : { text: comment } });
    write(undo ? `Acknowledgement withdrawn: ${plainLine(runId)}` : `Acknowledged: ${plainLine(runId)}`);
  }
}

async function showViews({ output }: { output: Format }, command: Command): Promise<void> {
  await printList(output, await listViews(connect(command)), printedViews);
}
