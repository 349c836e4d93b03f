import type { RunsFilter, RunsPage } from "../api/queries/run/activity.ts";

/** The list of runs that somebody came from, in this tab: from one of its runs the way leads to the next. */
export interface RunList {
  team: string;
  filter: RunsFilter;
  page: RunsPage;
  /** Which runs it had. */
  ids: string[];
}

const key = "millrace-run-list";

export function keepRunList(list: RunList): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(list));
  } catch {
    // A browser that keeps nothing: runs of the workflow are next to each other then.
  }
}

/** The list, if it has that run. */
export function runListOf(team: string, run: string): RunList | undefined {
  try {
    const list = JSON.parse(sessionStorage.getItem(key) ?? "null") as RunList | null;
    return list?.team === team && list.ids.includes(run) ? list : undefined;
  } catch {
    return undefined;
  }
}
