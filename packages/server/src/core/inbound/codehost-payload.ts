import { membersOf } from "../../base/text/json-text.ts";

/** What the service itself reads of a payload of the codehost; the rest is for workflows. */

type Members = Readonly<Record<string, unknown>>;

/** The number of the installation that the event is about, as text; undefined when it is about none. */
export function installationRef(payload: Members): string | undefined {
  const id = membersOf(payload["installation"])["id"];
  return typeof id === "number" && Number.isSafeInteger(id) && id > 0 ? String(id) : undefined;
}

/** What has started a run, by its payload: anyone who submits runs may have written it. */
export interface EventOrigin {
  installationRef: string;
  /** The platform's number of it; undefined when the event is about none. */
  repositoryId: number | undefined;
}

/** Undefined for a payload that is none of the codehost's. */
export function eventOrigin(payload: unknown): EventOrigin | undefined {
  const ref = installationRef(membersOf(payload));
  const { id } = membersOf(membersOf(payload)["repository"]);
  return ref === undefined ? undefined : { installationRef: ref, repositoryId: Number.isSafeInteger(id) ? (id as number) : undefined };
}

/**
 * An event of the codehost as filters see it: the attributes that a CloudEvent made of it would have. What it says nothing of is left out.
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

/** Short names of a list of repositories; whatever else is in it is left out. */
export function namesOf(repositories: unknown): string[] {
  const names = listOf(repositories).map((repository) => membersOf(repository)["name"]);
  return [...new Set(names.filter((name): name is string => typeof name === "string" && name !== ""))];
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The commit that an event is about, and where it is. */
interface EventHead {
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
