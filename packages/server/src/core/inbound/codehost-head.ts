import { membersOf } from "../../base/text/json-text.ts";

type Members = Readonly<Record<string, unknown>>;

/** The commit that an event is about, and where it is. */
export interface EventHead {
  owner: string;
  repository: string;
  sha: string;
}

/** What a report itself makes: a run that they start would call itself up forever if it reported, too. */
const eventsOfReports = ["check_run", "check_suite", "status"];

/** Undefined for an event without a commit: a comment, a deleted branch; and for those that reports cause. */
export function eventHead(event: string, payload: Members): EventHead | undefined {
  if (eventsOfReports.includes(event)) return undefined;
  const [, owner, repository] =
    /^(?!\.+\/)([\w.-]{1,100})\/(?!\.+$)([\w.-]{1,100})$/.exec(String(membersOf(payload["repository"])["full_name"])) ?? [];
  const shas = [
    payload["after"],
    membersOf(membersOf(payload["pull_request"])["head"])["sha"],
    membersOf(payload["workflow_run"])["head_sha"],
    membersOf(payload["workflow_job"])["head_sha"],
    membersOf(payload["deployment"])["sha"],
  ];
  const sha = shas.find((value): value is string => typeof value === "string" && /^[0-9a-f]{40,64}$/.test(value) && !/^0+$/.test(value));
  return owner && repository && sha ? { owner, repository, sha } : undefined;
}
