import type { Masker } from "../../../base/secret/mask.ts";
import { shortHash } from "../../../base/text/short-hash.ts";
import { isPlainStep, type PlainStep } from "../../../core/task/tekton/plain-step.ts";
import type { Job } from "../../../engine/executor.ts";
import { parameterText, writeEnvironment } from "../../steps/environment.ts";
import type { Level } from "../isolation/level.ts";

/**
 * What jobs must have in common to be served by the same sandbox: their team, what runs, and how it is isolated.
 * @returns undefined: the job gets a fresh one
 */
export function keptKey(job: Job, level: Level, masker: Masker): string | undefined {
  const [step] = job.steps;
  if (job.keep === undefined || step?.language === undefined || job.steps.length > 1 || !canKeep(job, level)) return undefined;
  // A step with a condition may not start at all.
  if (!isPlainStep(step)) return undefined;
  if (!job.keep.withSecrets && hasSecret(job, step, masker)) return undefined;
  // A variable with an unusual name is set by a program that keeps running beside the step.
  if (writeEnvironment(new Map((step.env ?? []).map(({ name, value }) => [name, value]))).oddOnes.size > 0) return undefined;
  const { name, language, script, env, workingDir } = step;
  const { memoryBytes, processes } = job.limits;
  const parts = [name, language, script, workingDir, env].map((part) => JSON.stringify(part ?? null));
  // It includes the team itself, so that keeping teams apart does not rely on a hash.
  return `${job.teamId} ${shortHash([job.keep.definition, ...parts, job.network, level.name, memoryBytes, processes])}`;
}

/**
 * Only where nothing of a sandbox outlives it and nothing leads out of it: with its own processes, files and network. Workspaces and
 * volumes are mounted before a sandbox starts, and would lead from one task into another.
 */
function canKeep({ network, workspaces, volumes }: Job, { hasOwnProcesses, hasOwnFiles, hasOwnNetwork }: Level): boolean {
  return hasOwnProcesses && hasOwnFiles && hasOwnNetwork && network !== "host" && workspaces.length === 0 && volumes === undefined;
}

/** Whether the job is given a secret: that its run has one does not mean that this task gets it. */
function hasSecret({ params, secrets }: Job, { script = "", workingDir = "", env = [] }: PlainStep, masker: Masker): boolean {
  const texts = [...params.map(({ value }) => parameterText(value)), ...[script, workingDir, ...env.map(({ value }) => value)]];
  if (params.some(({ value }) => JSON.stringify(masker.maskValue(value)) !== JSON.stringify(value))) return true;
  return texts.some((text) => masker.maskText(text) !== text || secrets.some((secret) => secret !== "" && text.includes(secret)));
}
