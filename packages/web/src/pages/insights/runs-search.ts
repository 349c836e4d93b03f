import { finalStatuses, statuses } from "@millrace/contract/status.ts";
import { endOfDay, startOfDay } from "../../ui/time/zone-time.ts";

/** A search of the activity page, as its URL stores it. */
export interface RunsSearch {
  span: "custom";
  from: string;
  to: string;
  statuses?: string[];
  workflows?: string[];
}

/** As in the insights, runs that timed out or were invalid count as failed. */
const failed = ["failed", "timedout", "invalid"];
const counted: Readonly<Record<string, string[]>> = {
  succeeded: ["succeeded"],
  failed,
  other: statuses.filter((status) => status !== "succeeded" && !failed.includes(status)),
  ended: [...finalStatuses],
};

/** The search for the runs behind a number. @param series one of the words above; left out: all runs */
export function runsOf(from: number, to: number, workflows: readonly string[], series?: string): RunsSearch {
  return {
    span: "custom",
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    ...(series !== undefined && counted[series] && { statuses: counted[series] }),
    ...(workflows.length > 0 && { workflows: [...workflows] }),
  };
}

export function runsOfDay(timezone: string, day: string, workflows: readonly string[], series?: string): RunsSearch {
  return runsOf(startOfDay(timezone, day), endOfDay(timezone, day), workflows, series);
}
