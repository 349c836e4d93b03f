import { membersOf } from "../../base/text/json-text.ts";

/** What the service itself reads of a payload of the codehost; the rest is for workflows. */

type Members = Readonly<Record<string, unknown>>;

/** The number of the installation that the event is about, as text; undefined when it is about none. */
export function installationRef(payload: Members): string | undefined {
  const id = membersOf(payload["installation"])["id"];
  return typeof id === "number" && Number.isSafeInteger(id) && id > 0 ? String(id) : undefined;
}

/** What has started a run, by its payload: whoever submits runs may have written it. */
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
