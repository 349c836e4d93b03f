import { allows } from "../../policy/allows.ts";
import { teamsAllowing } from "../../policy/teams.ts";
import type { Principal, Resource } from "../endpoint.ts";

/** What the reader of a stream of changes may hear of, as it is now. */
export interface ChangeReach {
  /** Another mark means that what may be read is another: everything is to be asked for again. */
  mark: string;
  /** The kinds of changes of that team; undefined: of the instance. */
  kindsIn(teamId: string | undefined): ReadonlySet<string>;
  /** Whose runs; undefined: those of all teams. */
  runTeams: readonly string[] | undefined;
}

/** Of each kind of change in a team the resource that one must be allowed to read. */
const ofTeam = Object.entries({
  ...{ workflowrun: "workflowrun", workflow: "workflow", schedule: "schedule", task: "task", action: "action", team: "team" },
  ...{ subscription: "integration", delivery: "integration" },
} as const satisfies Record<string, Resource>);
const ofInstance = Object.entries({
  ...{ user: "user", parameter: "parameter", token: "token", system: "system", team: "team" },
  ...{ subscription: "integration", delivery: "integration" },
} as const satisfies Record<string, Resource>);
/** Every credential reads these where they belong to no team. */
const ofEverybody = ["task", "workflowtemplate"] as const;

/** What can be heard of one team; undefined when that is nothing any more. */
export function reachOfTeam(principal: Principal | undefined, teamId: string): ChangeReach | undefined {
  const kinds = kindsOfTeam(principal, teamId);
  if (kinds.size === 0) return undefined;
  return { mark: "", kindsIn: (id) => (id === teamId ? kinds : nothing), runTeams: kinds.has("workflowrun") ? [teamId] : [] };
}

/** What can be heard of all teams and of the instance; undefined when the credential is no good any more. */
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
  const isHeard = (resource: Resource) => principal !== undefined && allows(principal, `${resource}/read`, teamId);
  return new Set(ofTeam.filter(([, resource]) => isHeard(resource)).map(([kind]) => kind));
}
