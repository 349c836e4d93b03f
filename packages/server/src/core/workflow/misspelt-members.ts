import type { UnknownMember } from "@millrace/contract/unknown-members.ts";
import { nearestName } from "../../base/text/nearest-name.ts";

/**
 * Members that are kept although nobody reads them, and that look as if someone was meant to: a name that is nearly one that is
 * known, or one that other products have for the same thing.
 */

/** What other products call a member, and what it may be called here: the first of these that is known at its place. */
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

/** What is meant to have an effect and has none here, and what does. */
const remedies: Readonly<Record<string, string>> = {
  concurrency: "runs at the same time are limited by the team's quota maxConcurrentRuns, and tasks by a lock (acquirelock)",
  parallelism: "tasks run at the same time unless one depends on the other; forEach has a limit of its own (parallel)",
};

/** What is to be said of one of them, after its name; undefined: nothing says that it was meant for us. */
export function misspeltMember({ name, known }: Pick<UnknownMember, "name" | "known">): string | undefined {
  const remedy = Object.hasOwn(remedies, name) ? remedies[name] : undefined;
  if (remedy !== undefined) return `is unknown here and has no effect: ${remedy}`;
  const alias = Object.hasOwn(aliases, name) ? aliases[name]?.find((one) => known.includes(one)) : undefined;
  const meant = alias ?? nearestName(name, known);
  return meant === undefined ? undefined : `is unknown here and has no effect; did you mean ${meant}?`;
}
