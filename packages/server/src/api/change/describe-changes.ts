import type { PermissionResource } from "@millrace/contract/permission.ts";
import type { Phase, Status } from "@millrace/contract/status.ts";
import { allows } from "../../policy/allows.ts";
import { teamsAllowing } from "../../policy/teams.ts";
import type { Database } from "../../store/database/database.ts";
import { listRunsAmong } from "../../store/run/run-updates.ts";
import { listTeamNames } from "../../store/team/directory.ts";
import type { Principal } from "../endpoint.ts";

/** What the client of a stream of changes may currently see. */
export interface ChangeReach {
  /** A different mark means that the readable set changed: the client has to request everything again. */
  mark: string;
  /** The kinds of changes of that team; undefined: of the instance. */
  kindsIn(teamId: string | undefined): ReadonlySet<string>;
  /** Whose runs; undefined: those of all teams. */
  runTeams: readonly string[] | undefined;
}

/** For each kind of change in a team, the resource that the client must be allowed to read. */
const ofTeam = Object.entries({
  ...{
    workflowrun: "workflowrun",
    workflow: "workflow",
    editing: "workflow",
    schedule: "schedule",
    task: "task",
    action: "action",
    team: "team",
  },
  ...{ subscription: "integration", delivery: "integration" },
} as const satisfies Record<string, PermissionResource>);
const ofInstance = Object.entries({
  ...{ user: "user", parameter: "parameter", token: "token", system: "system", team: "team" },
  ...{ subscription: "integration", delivery: "integration" },
} as const satisfies Record<string, PermissionResource>);
/** Every credential may read these outside of teams. */
const ofEverybody = ["task", "workflowtemplate"] as const;

/** What can be seen of one team; undefined if that is nothing any more. */
export function reachOfTeam(principal: Principal | undefined, teamId: string): ChangeReach | undefined {
  const kinds = kindsOfTeam(principal, teamId);
  if (kinds.size === 0) return undefined;
  return { mark: "", kindsIn: (id) => (id === teamId ? kinds : nothing), runTeams: kinds.has("workflowrun") ? [teamId] : [] };
}

/** What can be seen of all teams and of the instance; undefined if the credential is no longer valid. */
export function reachEverywhere(principal: Principal | undefined): ChangeReach | undefined {
  if (principal === undefined) return undefined;
  const ofAll = new Set<string>(ofEverybody);
  for (const [kind, resource] of ofInstance) if (allows(principal, `${resource}/read`)) ofAll.add(kind);
  if (ofAll.has("system")) ofAll.add("worker");
  const rights = [...principal.teams].map(([id, permissions]) => [id, [...permissions].sort()] as const);
  return {
    mark: JSON.stringify([principal.permissions, rights.sort(([a], [b]) => (a < b ? -1 : 1))]),
    kindsIn: (id) => (id === undefined ? ofAll : kindsOfTeam(principal, id)),
    runTeams: teamsAllowing(principal, "workflowrun/read"),
  };
}

const nothing: ReadonlySet<string> = new Set();

function kindsOfTeam(principal: Principal | undefined, teamId: string): ReadonlySet<string> {
  const isHeard = (resource: PermissionResource) => principal !== undefined && allows(principal, `${resource}/read`, teamId);
  return new Set(ofTeam.filter(([, resource]) => isHeard(resource)).map(([kind]) => kind));
}

/** The content of an event. */
interface Change {
  kind: string;
  /** The name of the team, in streams of several teams; none for the instance. */
  team?: string;
  id?: string;
  status?: Status;
  phase?: Phase;
}

/** What was received on the event bus. */
interface Noted {
  /** Ids. */
  runs: readonly string[];
  /** `TEAM-ID KIND` or `instance KIND`. */
  news: readonly string[];
}

/** The changes that the client may see, with the current state of runs. */
export async function describeChanges(
  sql: Database,
  reach: ChangeReach,
  noted: Noted,
  { isNamingTeams }: { isNamingTeams: boolean },
): Promise<Change[]> {
  const isAsked = noted.runs.length > 0 && reach.runTeams?.length !== 0;
  const runs = isAsked ? await listRunsAmong(sql, reach.runTeams, noted.runs) : [];
  const news = noted.news.map(readNotification).filter(({ kind, teamId }) => reach.kindsIn(teamId).has(kind));
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

function readNotification(news: string): { kind: string; teamId: string | undefined } {
  const [place = "", kind = ""] = news.split(" ");
  return { kind, teamId: place === "instance" ? undefined : place };
}
