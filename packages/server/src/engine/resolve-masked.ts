import { createMasker } from "../base/secret/mask.ts";
import type { ParameterScope } from "../core/parameter/parameters.ts";
import { type FindSource, MissingSource } from "../core/task/tekton/env-sources.ts";
import { type ProgramTask, resolveSteps } from "../core/task/tekton/job-steps.ts";

/**
 * The steps with the secrets in clear. What is wrong with them is shown to people: the name of a source or of a key may come from a
 * parameter, which may hold a secret.
 * @throws MissingSource that no secret is in
 */
export function resolveMasked(secrets: readonly string[], task: ProgramTask, scope: ParameterScope, find: FindSource) {
  try {
    return resolveSteps(task, scope, find);
  } catch (error) {
    throw error instanceof MissingSource ? new MissingSource(createMasker(secrets).maskText(error.message)) : error;
  }
}
