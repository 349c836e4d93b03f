import { membersOf } from "../../base/text/json-text.ts";
import { namesOf } from "./codehost-payload.ts";

type Members = Readonly<Record<string, unknown>>;

/** Fields of conditions that are words of their own, beside JSONPaths. */
export const codehostFields = ["events", "actions", "repositories", "branches", "tags"] as const;
export type CodehostField = (typeof codehostFields)[number];

/** What these words stand for in one event. A word that the event says nothing about has no value, so no condition on it holds. */
export function codehostWords(event: string, payload: Members): Record<CodehostField, string[]> {
  const { action } = payload;
  const { branches, tags } = refWords(event, payload);
  return {
    events: [event],
    actions: typeof action === "string" ? [action] : [],
    repositories: repositoryWords(payload),
    branches,
    tags,
  };
}

/**
 * Branches and tags that the event is about, by their short names: what was pushed, created or deleted; of a pull request the branch that
 * it is to go into; of a check, a workflow run or a deployment the branch that it ran for; of a release its tag and where that is taken
 * from; of a commit status the branches whose tip it is.
 */
function refWords(event: string, payload: Members): { branches: string[]; tags: string[] } {
  const refs = [...plainRefs(event, payload), ...namesOf(payload["branches"]).map(asBranch)];
  const members = ["pull_request", "check_run", "check_suite", "workflow_run", "workflow_job", "release"];
  for (const member of members) refs.push(...nestedRefs(membersOf(payload[member])));
  const of = (kind: Ref["kind"]) => [...new Set(refs.filter((ref) => ref.kind === kind).map(({ name }) => name))];
  return { branches: of("branch"), tags: of("tag") };
}

interface Ref {
  kind: "branch" | "tag";
  name: string;
}

function asBranch(name: string): Ref {
  return { kind: "branch", name };
}

/** `ref` is a full one in a push, and a short one with its kind beside it where something is created or deleted. */
function plainRefs(event: string, { ref, ref_type, deployment }: Members): Ref[] {
  if (event === "deployment" || event === "deployment_status") return textsOf(membersOf(deployment)["ref"]).map(asBranch);
  if (typeof ref !== "string" || ref === "") return [];
  const full = /^refs\/(heads|tags)\/(.+)$/su.exec(ref);
  if (full) return [{ kind: full[1] === "tags" ? "tag" : "branch", name: full[2] as string }];
  if (ref_type === "branch" || ref_type === "tag") return [{ kind: ref_type, name: ref }];
  return [];
}

function nestedRefs({ base, head_branch, check_suite, tag_name, target_commitish }: Members): Ref[] {
  const branches = [membersOf(base)["ref"], head_branch, membersOf(check_suite)["head_branch"], branchOf(target_commitish)];
  return [...branches.flatMap(textsOf).map(asBranch), ...textsOf(tag_name).map((name): Ref => ({ kind: "tag", name }))];
}

/** A release is taken from a branch, or from a commit. */
function branchOf(commitish: unknown): unknown {
  return typeof commitish === "string" && /^[0-9a-f]{40}$/.test(commitish) ? undefined : commitish;
}

function textsOf(value: unknown): string[] {
  return typeof value === "string" && value !== "" ? [value] : [];
}

/** What conditions on `repositories` are compared with: the names of all that the event is about, and the full one with the owner. */
function repositoryWords(payload: Members): string[] {
  const { name, full_name } = membersOf(payload["repository"]);
  const listed = [...namesOf(payload["repositories_added"]), ...namesOf(payload["repositories_removed"])];
  return [name, full_name, ...listed].filter((word): word is string => typeof word === "string");
}
