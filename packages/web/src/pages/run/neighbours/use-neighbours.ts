import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { activityQuery, type Run as ListedRun } from "../../../api/queries/run/activity.ts";
import type { Run } from "../../../api/queries/run/runs.ts";
import { type RunList, runListOf } from "../../../hooks/run-list.ts";

export interface Neighbours {
  runs: readonly ListedRun[];
  /** The index of this run in `runs`; -1 while it is unknown. */
  at: number;
  /** Whether the runs come from the list that the user came from. Otherwise they are runs of the same workflow, newest first. */
  isFromList: boolean;
}

const onEachSide = 15;

/** The runs before and after this one: in the list that the user came from, otherwise among the runs of the workflow. */
export function useNeighbours(team: string, run: Run): Neighbours {
  // The list that the user came from is fixed when the run is opened.
  const list = useMemo(() => runListOf(team, run.id), [team, run.id]);
  const ofList = useList(team, list);
  const ofWorkflow = useRunsAround(team, run, list === undefined);
  const runs = list === undefined ? ofWorkflow : ofList;
  return { runs, at: runs.findIndex(({ id }) => id === run.id), isFromList: list !== undefined };
}

const nothing = { page: 0, limit: 1 } as const;

function useList(team: string, list: RunList | undefined): readonly ListedRun[] {
  const { data } = useQuery({ ...activityQuery(team, list?.filter ?? {}, list?.page ?? nothing), enabled: list !== undefined });
  return list === undefined ? [] : (data?.content ?? []);
}

function useRunsAround(team: string, run: Run, isWanted: boolean): readonly ListedRun[] {
  const ofWorkflow = { workflows: [run.workflowRef] };
  const limit = onEachSide;
  // Usually a recent run is opened: then this one request covers both directions.
  const newest = useQuery({ ...activityQuery(team, ofWorkflow, { page: 0, limit: 2 * limit, order: "DESC" }), enabled: isWanted });
  const recent = newest.data?.content ?? [];
  const at = recent.findIndex(({ id }) => id === run.id);
  const isRecent = at >= 0 && (at < limit || newest.data?.last === true);
  const isOld = isWanted && newest.data !== undefined && !isRecent;
  const older = useQuery({
    ...activityQuery(team, { ...ofWorkflow, to: run.creationDate }, { page: 0, limit, order: "DESC" }),
    enabled: isOld,
  });
  // The result includes this run, as its first one.
  const newer = useQuery({
    ...activityQuery(team, { ...ofWorkflow, from: run.creationDate }, { page: 0, limit: limit + 1, order: "ASC" }),
    enabled: isOld,
  });
  return useMemo(() => {
    if (!isWanted) return [];
    if (isRecent) return (newest.data?.content ?? []).slice(Math.max(0, at - limit), at + limit + 1);
    return [...(newer.data?.content ?? []).toReversed(), ...(older.data?.content ?? [])];
  }, [isWanted, isRecent, at, newest.data, newer.data, older.data]);
}
