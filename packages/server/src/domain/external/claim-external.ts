import { AppError } from "../../base/error/app-error.ts";
import { externalNeed } from "../../core/task/external-task.ts";
import { type ExternalWorkerKey, insertExternalWorker, listExternalTasks, noteAsking } from "../../store/external/external-workers.ts";
import type { ExternalParts } from "./external-parts.ts";
import { giveClaims } from "./give-claims.ts";
import type { ExternalJob } from "./prepare-external.ts";

export interface WantedClaims {
  tasks: readonly string[];
  max: number;
  waitMs: number;
}

/** External workers of a team, the lost ones of the last minute among them. */
const maxWorkers = 1000;
/** Claims of a team that wait in this process. */
const maxWaiting = 2000;

/** @throws QUOTA_EXCEEDED */
export async function addExternalWorker(
  { sql }: ExternalParts,
  team: { id: string; name: string },
  worker: { owner: string; name: string; leaseSeconds: number },
): Promise<string> {
  const id = await insertExternalWorker(sql, { teamId: team.id, ...worker }, maxWorkers);
  if (id === undefined)
    throw new AppError("QUOTA_EXCEEDED", ["external workers", team.name, maxWorkers, maxWorkers], { retryAfterSeconds: 60 });
  return id;
}

/** The worker is gone, or was never there for this caller. */
export function unknownWorker(id: string): AppError {
  return new AppError("NOT_FOUND", [
    `external worker ${id}: its lease has expired, or another token registered it; claim without worker to register a new one`,
  ]);
}

/**
 * Attempts for a worker, at once or as soon as there are some.
 * @param closed the client is gone @param stopping the service ends
 * @throws NOT_FOUND, TOO_MANY_REQUESTS
 */
export async function claimExternal(
  parts: ExternalParts,
  key: ExternalWorkerKey,
  { tasks, max, waitMs }: WantedClaims,
  closed: AbortSignal,
  stopping: AbortSignal | undefined,
): Promise<{ jobs: ExternalJob[]; warnings: string[] }> {
  if (waitMs > 0 && parts.queue.countOf(key.teamId) >= maxWaiting) throw new AppError("TOO_MANY_REQUESTS", [5], { retryAfterSeconds: 5 });
  if (!(await noteAsking(parts.sql, key, tasks, waitMs / 1000))) throw unknownWorker(key.id);
  const warnings = await warningsOf(parts, key.teamId, tasks);
  const signals = [closed, ...(stopping ? [stopping] : [])];
  const claims = await parts.queue.claim(key, max, tasks.map(externalNeed), waitMs, signals);
  for (const claim of claims) parts.context.states.claimed(claim, key.id);
  return { jobs: await giveClaims(parts, key, claims, () => closed.aborted), warnings };
}

async function warningsOf({ sql }: ExternalParts, teamId: string, tasks: readonly string[]): Promise<string[]> {
  const known = await listExternalTasks(sql, teamId, tasks);
  return tasks
    .filter((task) => !known.has(task))
    .map((task) => `the team has no external task ${task}: save a task of that name with the annotation millrace.dev/executor: external`);
}
