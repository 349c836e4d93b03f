import { membersOf } from "../../base/text/json-text.ts";
import { namesOf } from "./codehost-payload.ts";

type Members = Readonly<Record<string, unknown>>;

/** Fields of conditions that are special words, in addition to JSONPaths. */
export const codehostFields = ["events", "actions", "repositories", "branches", "tags"] as const;
export type CodehostField = (typeof codehostFields)[number];

/** The values of these words for one event. A word that does not apply to the event has no value, so no condition on it holds. */
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
 * Branches and tags that the event is about, by their short names. For a push, creation or deletion: the affected branch or tag. For a pull
 * request: the target branch. For a check, a workflow run or a deployment: the branch that it ran for. For a release: its tag and its
 * source branch. For a commit status: the branches whose tip it is.
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

/** In a push, `ref` is a full name; if something is created or deleted, it is a short name, and another member has its kind. */
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

/** The source of a release is a branch or a commit. */
function branchOf(commitish: unknown): unknown {
  return typeof commitish === "string" && /^[0-9a-f]{40}$/.test(commitish) ? undefined : commitish;
}

function textsOf(value: unknown): string[] {
  return typeof value === "string" && value !== "" ? [value] : [];
}

/**
 * What conditions on `repositories` are compared with: the names of all repositories of the event, both the short ones and those with the
 * owner.
 */
function repositoryWords(payload: Members): string[] {
  const { name, full_name } = membersOf(payload["repository"]);
  const listed = [...namesOf(payload["repositories_added"]), ...namesOf(payload["repositories_removed"])];
  return [name, full_name, ...listed].filter((word): word is string => typeof word === "string");
}
