import type { RunsFilter, RunsPage } from "../api/queries/run/activity.ts";

/** The list of runs that the user came from, in this tab: the runs link to their neighbours in it. */
export interface RunList {
  team: string;
  filter: RunsFilter;
  page: RunsPage;
  /** The ids of its runs. */
  ids: string[];
}

const key = "millrace-run-list";

export function keepRunList(list: RunList): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(list));
  } catch {
    // If the browser can't store it, the neighbours are other runs of the workflow.
  }
}

/** The list, if it contains that run. */
export function runListOf(team: string, run: string): RunList | undefined {
  try {
    const list = JSON.parse(sessionStorage.getItem(key) ?? "null") as RunList | null;
    return list?.team === team && list.ids.includes(run) ? list : undefined;
  } catch {
    return undefined;
  }
}
