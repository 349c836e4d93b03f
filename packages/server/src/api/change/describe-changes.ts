import type { Phase, Status } from "@millrace/contract/status.ts";
import type { Database } from "../../store/database/database.ts";
import { listRunsAmong } from "../../store/run/run-updates.ts";
import { listTeamNames } from "../../store/team/directory.ts";
import type { ChangeReach } from "./change-reach.ts";

/** What an event tells. */
export interface Change {
  kind: string;
  /** The name of the team it is in, where many are heard of; of the instance none. */
  team?: string;
  id?: string;
  status?: Status;
  phase?: Phase;
}

/** What was heard on the event bus. */
export interface Noted {
  /** Ids. */
  runs: readonly string[];
  /** `TEAM-ID KIND` or `instance KIND`. */
  news: readonly string[];
}

/** Of what was heard that which the reader may know, runs as they are now. */
export async function describeChanges(
  sql: Database,
  reach: ChangeReach,
  noted: Noted,
  { isNamingTeams }: { isNamingTeams: boolean },
): Promise<Change[]> {
  const isAsked = noted.runs.length > 0 && reach.runTeams?.length !== 0;
  const runs = isAsked ? await listRunsAmong(sql, reach.runTeams, noted.runs) : [];
  const news = noted.news.map(readNews).filter(({ kind, teamId }) => reach.kindsIn(teamId).has(kind));
  const teamIds = isNamingTeams ? [...runs, ...news].flatMap(({ teamId }) => teamId ?? []) : [];
  const names = new Map((await listTeamNames(sql, [...new Set(teamIds)])).map(({ id, name }) => [id, name]));
  const place = (teamId: string | undefined) => {
    const team = names.get(teamId ?? "");
    return team === undefined ? {} : { team };
  };
  return [
    ...runs.map(({ teamId, ...run }) => ({ kind: "workflowrun", ...place(teamId), ...run })),
    ...news.map(({ kind, teamId }) => ({ kind, ...place(teamId) })),
  ];
}

function readNews(news: string): { kind: string; teamId: string | undefined } {
  const [place = "", kind = ""] = news.split(" ");
  return { kind, teamId: place === "instance" ? undefined : place };
}
