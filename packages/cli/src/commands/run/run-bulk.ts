import type { Schemas } from "@millrace/client/client.ts";
import { Command } from "commander";
import { type Connection, connect } from "../../connection/connect.ts";
import { confirm } from "../../connection/read-secret.ts";
import { exitCodes, Failure } from "../../failure.ts";
import { formatDate } from "../../output/format-time.ts";
import { type Format, outputOption, type Printed, printList, printOne } from "../../output/print.ts";
import { notify, write } from "../../output/terminal.ts";
import { addFilterOptions, type FilterFlags, type RunFilter, readFilter, toQuery } from "../../run/run-filter.ts";
import { exampleCommand, readCount } from "../client-command.ts";

type Bulk = Schemas["BulkOperation"];
type Action = Bulk["action"];

const printedBulk: Printed<Bulk> = {
  columns: [
    { header: "ID", value: ({ id }) => id },
    { header: "ACTION", value: ({ action }) => action },
    { header: "STATUS", value: ({ status }) => status, isStatus: true },
    { header: "TOTAL", value: ({ total }) => total },
    { header: "DONE", value: ({ done }) => done },
    { header: "FAILED", value: ({ failed }) => failed },
    { header: "LEFT", value: ({ left }) => left },
    { header: "CREATED", value: ({ creationDate }) => formatDate(creationDate) },
    { header: "BY", value: ({ createdByName }) => createdByName, canBeCut: true },
  ],
  nameOf: ({ id }) => id,
};

const printedItems: Printed<Schemas["BulkRun"]> = {
  columns: [
    { header: "RUN", value: ({ workflowRunRef }) => workflowRunRef },
    { header: "OUTCOME", value: ({ outcome }) => outcome, isStatus: true },
    { header: "NEW RUN", value: ({ newWorkflowRunRef }) => newWorkflowRunRef },
    { header: "MESSAGE", value: ({ message }) => message, canBeCut: true },
  ],
  nameOf: ({ workflowRunRef }) => workflowRunRef,
};

/** `millrace run bulk …`: one action on all runs that match a filter. */
export function bulkCommand(): Command {
  const bulk = new Command("bulk").description("Cancel, retry or rerun all runs that match a filter");
  for (const [action, does] of [
    ["cancel", "Cancel all runs that match"],
    ["retry", "Retry all runs that match from the beginning, as new runs"],
    ["rerun", "Rerun the failed tasks of all runs that match, and the tasks after them, as new runs"],
  ] as const)
    bulk.addCommand(actionOnMany(action, does));
  const list = exampleCommand("list", "List bulk actions, newest first", ["run bulk list"])
    .option("--limit <NUMBER>", "most results to show, up to 1000", readCount, 20)
    .addOption(outputOption())
    .action(listBulk);
  const get = exampleCommand("get", "Show the progress of a bulk action", ["run bulk get $BULK", "run bulk get $BULK --failed"])
    .argument("<BULK>", "ID of the bulk action")
    .option("--failed", "list the runs for which it failed, and why")
    .option("--limit <NUMBER>", "with --failed: most runs to show, up to 1000", readCount, 100)
    .addOption(outputOption())
    .action(getBulk);
  const stop = exampleCommand("stop", "Stop a bulk action; what is done stays done", ["run bulk stop $BULK"])
    .argument("<BULK>", "ID of the bulk action")
    .action(stopBulk);
  for (const one of [list, get, stop]) bulk.addCommand(one);
  return bulk;
}

function actionOnMany(action: Action, does: string): Command {
  const command = exampleCommand(action, does, [
    `run bulk ${action} --status ${action === "cancel" ? "running" : "failed"} --since 24h --dry-run`,
    `run bulk ${action} --workflow nightly --status ${action === "cancel" ? "running" : "failed"} --yes`,
  ]);
  return addFilterOptions(command)
    .option("--all", "all runs of the team, without a filter")
    .option("--dry-run", "only show how many runs match")
    .option("--yes", "don't ask for confirmation")
    .option("--detach", "don't wait until it is done")
    .addOption(outputOption())
    .action((flags: BulkFlags, _: Command) => actOnMany(action, flags, _));
}

interface BulkFlags extends FilterFlags {
  all?: true;
  dryRun?: true;
  yes?: true;
  detach?: true;
  output: Format;
}

async function actOnMany(action: Action, flags: BulkFlags, command: Command): Promise<void> {
  const connection = connect(command);
  const filter = await readFilter(connection, flags);
  if (Object.keys(filter).length === 0 && !flags.all)
    throw new Failure(exitCodes.notUnderstood, "The filter is missing", "Add one, such as --status failed, or --all");
  const { count, isMinimum } = await countRuns(connection, filter);
  const words = `${isMinimum ? "at least " : ""}${count} ${count === 1 ? "run" : "runs"}`;
  if (flags.dryRun) return write(count === 0 ? "No run matches." : `Would ${action} ${words}.`);
  if (count === 0) throw new Failure(exitCodes.notFound, "No run matches, so nothing was done", "Check with: millrace run list");
  await confirm(`${action[0]!.toUpperCase()}${action.slice(1)} ${words}`, flags.yes === true);
  const bulk = await connection.client.post("/api/v2/team/{team}/workflowrun/bulk", {
    params: { path: { team: await connection.team() } },
    // The service refuses the operation if the number of runs differs from the confirmed one.
    body: { action, filter, ...(!isMinimum && !flags.yes && { expected: count }) },
    headers: { "idempotency-key": crypto.randomUUID() },
  });
  await finish(connection, bulk, flags);
}

/** @returns a minimum if more runs match than the search counts */
async function countRuns(connection: Connection, filter: RunFilter): Promise<{ count: number; isMinimum: boolean }> {
  const params = { path: { team: await connection.team() }, query: { ...toQuery(filter), limit: 1 } };
  const { totalElements, search } = await connection.client.get("/api/v2/team/{team}/workflowrun/query", { params });
  return { count: totalElements, isMinimum: search?.totalIsMinimum === true };
}

const pauseMs = 500;

async function finish(connection: Connection, requested: Bulk, { detach, output }: BulkFlags): Promise<void> {
  let bulk = requested;
  if (!detach) {
    notify(`Ctrl-C only stops watching. To stop the action: millrace run bulk stop ${bulk.id}`);
    while (bulk.status === "running") {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      bulk = await findBulk(connection, bulk.id);
      showProgress(bulk);
    }
    process.exitCode = bulk.failed > 0 ? exitCodes.failed : bulk.status === "cancelled" ? exitCodes.cancelled : exitCodes.done;
  }
  await printOne(output, bulk, printedBulk);
  if (!detach && bulk.failed > 0) notify(`Why some failed: millrace run bulk get ${bulk.id} --failed`);
}

/** A line that is overwritten with each update, only on a terminal. */
function showProgress({ done, failed, total, status }: Bulk): void {
  if (process.stderr.isTTY !== true) return;
  const failures = failed > 0 ? `, ${failed} failed` : "";
  process.stderr.write(`\r${done + failed} of ${total}${failures} ${status === "running" ? "" : "\n"}`);
}

async function findBulk(connection: Connection, bulkId: string): Promise<Bulk> {
  const params = { path: { team: await connection.team(), bulkId } };
  return connection.client.get("/api/v2/team/{team}/workflowrun/bulk/{bulkId}", { params });
}

async function listBulk({ limit, output }: { limit: number; output: Format }, command: Command): Promise<void> {
  const connection = connect(command);
  const params = { path: { team: await connection.team() }, query: { limit } };
  const { content } = await connection.client.get("/api/v2/team/{team}/workflowrun/bulk", { params });
  await printList(output, content, printedBulk);
}

interface GetFlags {
  failed?: true;
  limit: number;
  output: Format;
}

async function getBulk(bulkId: string, { failed, limit, output }: GetFlags, command: Command): Promise<void> {
  const connection = connect(command);
  if (!failed) return printOne(output, await findBulk(connection, bulkId), printedBulk);
  const params = { path: { team: await connection.team(), bulkId }, query: { outcomes: ["failed" as const], limit } };
  const { content, totalElements } = await connection.client.get("/api/v2/team/{team}/workflowrun/bulk/{bulkId}/run", { params });
  await printList(output, content, printedItems);
  if (totalElements > content.length) notify(`${content.length} of ${totalElements}. --limit shows more.`);
}

async function stopBulk(bulkId: string, _: unknown, command: Command): Promise<void> {
  const connection = connect(command);
  const params = { path: { team: await connection.team(), bulkId } };
  const { done, failed, left } = await connection.client.delete("/api/v2/team/{team}/workflowrun/bulk/{bulkId}/cancel", { params });
  write(`Stopped: ${done} done, ${failed} failed, ${left} unchanged`);
}
