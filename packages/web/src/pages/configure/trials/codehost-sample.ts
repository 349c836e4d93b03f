import type { Condition } from "../triggers/trigger-draft.ts";

/** What a sample event of the codehost is about. */
export interface SampleTarget {
  event: string;
  /** Empty for events without an action. */
  action: string;
  /** With its owner, e.g. `org/shop`. */
  repository: string;
  refKind: "branch" | "tag";
  /** The short name of the branch or tag. */
  ref: string;
}

interface CodehostEvent {
  actions: readonly string[];
  refKinds: readonly SampleTarget["refKind"][];
}

/** The most common events to test, with their actions and refs. Others can be typed as JSON. */
export const codehostEvents: Readonly<Record<string, CodehostEvent>> = {
  push: { actions: [], refKinds: ["branch", "tag"] },
  pull_request: { actions: ["opened", "synchronize", "reopened", "ready_for_review", "closed"], refKinds: ["branch"] },
  release: { actions: ["published", "created", "edited", "deleted"], refKinds: ["tag"] },
  create: { actions: [], refKinds: ["branch", "tag"] },
  delete: { actions: [], refKinds: ["branch", "tag"] },
  issues: { actions: ["opened", "edited", "closed", "labeled"], refKinds: [] },
  issue_comment: { actions: ["created", "edited", "deleted"], refKinds: [] },
  workflow_run: { actions: ["completed", "requested", "in_progress"], refKinds: ["branch"] },
  deployment: { actions: ["created"], refKinds: ["branch"] },
};

/** A target that matches the conditions of the trigger, as far as they name texts. */
export function sampleTargetFor(conditions: readonly Condition[], repository: string): SampleTarget {
  const wanted = (field: string) => {
    const { operation, value, values } = conditions.find((condition) => condition.field === field) ?? {};
    return (operation === "equals" ? value : operation === "in" ? values?.[0] : undefined) || undefined;
  };
  const event = wanted("events") ?? "push";
  const repositoryWanted = wanted("repositories");
  const owner = repository.split("/")[0] ?? "org";
  const full = repositoryWanted?.includes("/") ? repositoryWanted : repositoryWanted && `${owner}/${repositoryWanted}`;
  const fitting = fitted({
    event,
    action: wanted("actions") ?? "",
    repository: full ?? repository,
    refKind: wanted("tags") ? "tag" : "branch",
    ref: "",
  });
  return { ...fitting, ref: wanted(fitting.refKind === "tag" ? "tags" : "branches") ?? (fitting.refKind === "tag" ? "v1.0.0" : "main") };
}

/** The target with an action and a kind of ref that its event has. */
export function fitted(target: SampleTarget): SampleTarget {
  const { actions, refKinds } = codehostEvents[target.event] ?? { actions: [], refKinds: [] };
  const action = actions.includes(target.action) ? target.action : (actions[0] ?? "");
  const refKind = refKinds.includes(target.refKind) ? target.refKind : (refKinds[0] ?? target.refKind);
  return { ...target, action, refKind };
}

const sha = "5f0c1d2e3a4b5c6d7e8f90123456789abcdef012";

/** The payload as the codehost would send it, with the members that workflows use most. @param installation that the team is linked to */
export function codehostPayload(target: SampleTarget, installation: number): Record<string, unknown> {
  const { action, repository } = target;
  return {
    ...(action !== "" && { action }),
    ...aboutOf(target),
    repository: { id: 1, name: repository.split("/").at(-1), full_name: repository, default_branch: "main" },
    sender: { login: "somebody" },
    installation: { id: installation },
  };
}

function aboutOf({ event, refKind, ref, action }: SampleTarget): Record<string, unknown> {
  const fullRef = `refs/${refKind === "tag" ? "tags" : "heads"}/${ref}`;
  const issue = { number: 7, title: "A try", labels: [] };
  switch (event) {
    case "push":
      return { ref: fullRef, after: sha, head_commit: { id: sha, message: "A try" }, commits: [{ id: sha, message: "A try" }] };
    case "pull_request":
      return { number: 7, pull_request: { number: 7, title: "A try", merged: false, base: { ref }, head: { ref: "a-try", sha } } };
    case "release":
      return { release: { tag_name: ref, target_commitish: "main", name: ref, prerelease: false } };
    case "create":
    case "delete":
      return { ref, ref_type: refKind };
    case "issues":
      return { issue };
    case "issue_comment":
      return { issue, comment: { id: 1, body: "A try" } };
    case "workflow_run":
      return {
        workflow_run: { id: 1, name: "build", head_branch: ref, head_sha: sha, conclusion: action === "completed" ? "success" : null },
      };
    case "deployment":
      return { deployment: { id: 1, ref, sha, environment: "test" } };
    default:
      return { ref: fullRef };
  }
}
