import { membersOf } from "../base/members-of.ts";

/** What the service itself reads of a payload of the codehost; the rest is for workflows. */

type Members = Readonly<Record<string, unknown>>;

/** The number of the installation that the event is about, as text; undefined when it is about none. */
export function installationRef(payload: Members): string | undefined {
  const id = membersOf(payload["installation"])["id"];
  return typeof id === "number" && Number.isSafeInteger(id) && id > 0 ? String(id) : undefined;
}

/** What conditions on `repositories` are compared with: the names of all that the event is about, and the full one with the owner. */
export function repositoryWords(payload: Members): string[] {
  const { name, full_name } = membersOf(payload["repository"]);
  const listed = [...namesOf(payload["repositories_added"]), ...namesOf(payload["repositories_removed"])];
  return [name, full_name, ...listed].filter((word): word is string => typeof word === "string");
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
