import type { Schemas } from "@millrace/client/client.ts";
import { type Status, statuses } from "@millrace/contract/status.ts";
import { type Command, InvalidArgumentError } from "commander";
import { collect, collectOf } from "../commands/client-command.ts";
import type { Connection } from "../connection/connect.ts";
import { exitCodes, Failure } from "../failure.ts";
import { readLabels } from "./read-params.ts";

/** The selection of runs: the same options for lists, counts and bulk actions. */

export type RunFilter = Schemas["RunListFilter"];

export interface FilterFlags {
  workflow?: string[];
  search?: string;
  status?: Status[];
  label?: string[];
  /** Milliseconds. */
  since?: number;
  unacknowledged?: true;
  view?: string;
}

export function addFilterOptions(command: Command): Command {
  return command
    .option("--workflow <NAME>", "only of this workflow; can be repeated", collect)
    .option("--search <TEXT>", "only runs that contain all of these words in parameters, results, errors, labels or names; or an ID")
    .option("--status <STATUS>", "only runs with this status, such as failed; can be repeated", collectOf(statuses))
    .option("--label <KEY=VALUE>", "only with this label; can be repeated", collect)
    .option("--since <TIME>", "only runs created within this time, such as 90m, 24h or 7d", readSpan)
    .option("--unacknowledged", "only failed runs that nobody has acknowledged")
    .option("--view <NAME>", "the filters of a saved view; the options above override them");
}

const unitsMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** @throws {InvalidArgumentError} */
function readSpan(text: string): number {
  const span = spanMs(text);
  if (span === undefined) throw new InvalidArgumentError("Use a number and a unit (s, m, h or d), such as 24h.");
  return span;
}

function spanMs(text: string): number | undefined {
  const [, count, unit = ""] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * unitsMs[unit]!;
}

/** The filter in the format of bulk actions. A view provides the defaults, and options override them. */
export async function readFilter(connection: Connection, flags: FilterFlags): Promise<RunFilter> {
  const { workflow, search, status, label, since, unacknowledged, view } = flags;
  return {
    ...(view === undefined ? {} : await filterOfView(connection, view)),
    ...(workflow && { workflows: workflow }),
    ...(search !== undefined && { search }),
    ...(status && { statuses: status }),
    ...(label && { labels: readLabels(label) }),
    ...(since !== undefined && { fromDate: Date.now() - since }),
    ...(unacknowledged && { acknowledged: false }),
  };
}

export async function listViews(connection: Connection): Promise<Schemas["RunView"][]> {
  const { views } = await connection.client.get("/api/v2/team/{team}/workflowrun/view", {
    params: { path: { team: await connection.team() } },
  });
  return views;
}

/** The caller's own view takes precedence over a team view of the same name. */
async function filterOfView(connection: Connection, name: string): Promise<RunFilter> {
  const views = await listViews(connection);
  const wanted = views.filter((one) => one.id === name || one.name.toLowerCase() === name.toLowerCase());
  const found = wanted.find(({ scope }) => scope === "own") ?? wanted[0];
  if (found === undefined) {
    const names = views.map((one) => one.name).join(", ");
    throw new Failure(
      exitCodes.notFound,
      `There is no view ${name}`,
      names === "" ? "Save one in the interface, under Activity" : `There are: ${names}`,
    );
  }
  const { since, ...filter } = found.filter;
  const span = since === undefined ? undefined : spanMs(since);
  return { ...filter, ...(span !== undefined && { fromDate: Date.now() - span }) };
}

/** The filter as query parameters of the list of runs. */
export function toQuery({ labels, ...filter }: RunFilter) {
  return { ...filter, labels: labels && Object.entries(labels).map(([key, value]) => encodeURIComponent(`${key}=${value}`)) };
}
