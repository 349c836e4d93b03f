import type { UnknownMember } from "@millrace/contract/unknown-members.ts";
import { nearestName } from "../../base/text/nearest-name.ts";

/**
 * Unknown members (stored but without effect) that look like mistakes: a name that is close to a known one, or one that other products use
 * for the same thing.
 */

/** Names in other products, each with possible names here: the first that is known at that place of the document is suggested. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  arguments: ["args", "params"],
  cmd: ["command", "script"],
  dependsOn: ["dependencies"],
  depends_on: ["dependencies"],
  depends: ["dependencies"],
  environment: ["env", "envs"],
  inputs: ["params"],
  jobs: ["tasks"],
  needs: ["dependencies"],
  nodes: ["tasks"],
  parameters: ["params"],
  retries: ["retry"],
  run: ["script"],
  runAfter: ["dependencies"],
  steps: ["tasks"],
  timeoutMinutes: ["timeout"],
  timeout_minutes: ["timeout"],
  timeoutSeconds: ["timeout"],
  "timeout-minutes": ["timeout"],
  on: ["triggers"],
  uses: ["taskRef"],
  volumes: ["workspaces"],
  withItems: ["forEach"],
  with: ["params"],
};

/** Names that have no effect here and no direct equivalent, each with the alternative. */
const remedies: Readonly<Record<string, string>> = {
  concurrency: "runs at the same time are limited by the team's quota maxConcurrentRuns, and tasks by a lock (acquirelock)",
  parallelism: "tasks run at the same time unless one depends on the other; forEach has a limit of its own (parallel)",
};

/** A warning about an unknown member, to follow its name; undefined: it does not look like a mistake. */
export function misspeltMember({ name, known }: Pick<UnknownMember, "name" | "known">): string | undefined {
  const remedy = Object.hasOwn(remedies, name) ? remedies[name] : undefined;
  if (remedy !== undefined) return `is unknown here and has no effect: ${remedy}`;
  const alias = Object.hasOwn(aliases, name) ? aliases[name]?.find((one) => known.includes(one)) : undefined;
  const meant = alias ?? nearestName(name, known);
  return meant === undefined ? undefined : `is unknown here and has no effect; did you mean ${meant}?`;
}
