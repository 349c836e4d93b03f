import { membersOf } from "../../base/text/json-text.ts";

/** The parts of a codehost payload that the service itself reads; the rest is for workflows. */

type Members = Readonly<Record<string, unknown>>;

/** The number of the installation that the event belongs to, as text; undefined if it belongs to none. */
export function installationRef(payload: Members): string | undefined {
  const id = membersOf(payload["installation"])["id"];
  return typeof id === "number" && Number.isSafeInteger(id) && id > 0 ? String(id) : undefined;
}

/** What started a run, according to its payload: anyone who can submit runs may have written it. */
export interface EventOrigin {
  installationRef: string;
  /** The platform's number of the repository; undefined if the event is about none. */
  repositoryId: number | undefined;
}

/** Undefined for a payload that is not from the codehost. */
export function eventOrigin(payload: unknown): EventOrigin | undefined {
  const ref = installationRef(membersOf(payload));
  const { id } = membersOf(membersOf(payload)["repository"]);
  return ref === undefined ? undefined : { installationRef: ref, repositoryId: Number.isSafeInteger(id) ? (id as number) : undefined };
}

/**
 * An event of the codehost as filters see it: the attributes that it would have as a CloudEvent. Attributes that it does not contain are
 * left out.
 * @param delivery its number, from the headers
 */
export function codehostAttributes(event: string, delivery: string | undefined, payload: Members): Record<string, string> {
  const { html_url: address, full_name: repository } = membersOf(payload["repository"]);
  const attributes = {
    specversion: "1.0",
    type: event,
    id: delivery,
    source: address,
    subject: payload["ref"],
    action: payload["action"],
    repository,
    sender: membersOf(payload["sender"])["login"],
  };
  return Object.fromEntries(Object.entries(attributes).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}

/** Short names of a list of repositories; other entries are left out. */
export function namesOf(repositories: unknown): string[] {
  const names = listOf(repositories).map((repository) => membersOf(repository)["name"]);
  return [...new Set(names.filter((name): name is string => typeof name === "string" && name !== ""))];
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The commit that an event is about, and its repository. */
interface EventHead {
  owner: string;
  repository: string;
  sha: string;
}

/** Events that a report itself causes: a run that they start would trigger itself forever if it also reported. */
const eventsOfReports = ["check_run", "check_suite", "status"];

/** Undefined for an event without a commit (a comment, a deleted branch), and for events that reports cause. */
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
