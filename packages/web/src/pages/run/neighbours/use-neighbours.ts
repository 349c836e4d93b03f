import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { activityQuery, type Run as ListedRun } from "../../../api/queries/run/activity.ts";
import type { Run } from "../../../api/queries/run/runs.ts";
import { type RunList, runListOf } from "../../../hooks/run-list.ts";

export interface Neighbours {
  runs: readonly ListedRun[];
  /** Where this run stands among them; -1: it isn't known yet. */
  at: number;
  /** From the list that somebody came from; else they are runs of the same workflow, the newest first. */
  isFromList: boolean;
}

const onEachSide = 15;

/** The runs before and behind this one: of the list that one came from, or of the workflow. */
export function useNeighbours(team: string, run: Run): Neighbours {
  // What one came from is known when the run is opened, and stays so.
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
  // Mostly a recent run is opened: then one question answers both.
  const newest = useQuery({ ...activityQuery(team, ofWorkflow, { page: 0, limit: 2 * limit, order: "DESC" }), enabled: isWanted });
  const recent = newest.data?.content ?? [];
  const at = recent.findIndex(({ id }) => id === run.id);
  const isRecent = at >= 0 && (at < limit || newest.data?.last === true);
  const isOld = isWanted && newest.data !== undefined && !isRecent;
  const older = useQuery({
    ...activityQuery(team, { ...ofWorkflow, to: run.creationDate }, { page: 0, limit, order: "DESC" }),
    enabled: isOld,
  });
  // With this one, which is the first of them.
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
