import type { RunsFilter, RunsPage } from "../api/queries/run/activity.ts";
import { keepInTab, keptInTab } from "./kept-in-tab.ts";

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
  keepInTab(key, list);
}

/** The list, if it contains that run. */
export function runListOf(team: string, run: string): RunList | undefined {
  const list = keptInTab<RunList>(key);
  return list?.team === team && list.ids.includes(run) ? list : undefined;
}
