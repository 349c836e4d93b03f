import { AppError } from "../../base/error/app-error.ts";
import { externalNeed } from "../../core/task/external-task.ts";
import {
  countExternalWorkers,
  type ExternalWorkerKey,
  insertExternalWorker,
  listExternalTasks,
  noteAsking,
} from "../../store/external/external-workers.ts";
import type { ExternalParts } from "./external-parts.ts";
import { giveClaims } from "./give-claims.ts";
import type { ExternalJob } from "./prepare-external.ts";

export interface WantedClaims {
  tasks: readonly string[];
  max: number;
  waitMs: number;
}

/**
 * External workers of a team, and of one credential in it, including those lost in the last minute. A program that registers a worker with
 * each claim reaches the limit of its token, so that other tokens can still register theirs.
 */
const maxWorkers = { ofTeam: 1000, ofCredential: 750 };
/** Waiting claims of a team in this process. */
const maxWaiting = 2000;

/** @throws QUOTA_EXCEEDED */
export async function addExternalWorker(
  { sql }: ExternalParts,
  team: { id: string; name: string },
  worker: { owner: string; name: string; leaseSeconds: number },
): Promise<string> {
  const id = await insertExternalWorker(sql, { teamId: team.id, ...worker }, maxWorkers);
  if (id !== undefined) return id;
  const isOwnLimit = (await countExternalWorkers(sql, team.id, worker.owner)) >= maxWorkers.ofCredential;
  const [what, limit] = isOwnLimit ? ["external workers of one token", maxWorkers.ofCredential] : ["external workers", maxWorkers.ofTeam];
  throw new AppError("QUOTA_EXCEEDED", [what, team.name, limit, limit], { retryAfterSeconds: 60 });
}

/** The worker no longer exists, or never existed for this caller. */
export function unknownWorker(id: string): AppError {
  return new AppError("NOT_FOUND", [
    `external worker ${id}: its lease has expired, or another token registered it; claim without worker to register a new one`,
  ]);
}

/**
 * Returns attempts for a worker, at once or as soon as there are some.
 * @param closed the client has disconnected @param stopping the service stops
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
  const warnings = isRemembered(parts, key, { tasks, waitMs }) ? [] : await noteClaim(parts, key, { tasks, waitMs });
  const signals = [closed, ...(stopping ? [stopping] : [])];
  const claims = await parts.queue.claim(key, max, tasks.map(externalNeed), waitMs, signals);
  for (const claim of claims) parts.context.states.claimed(claim, key.id);
  return { jobs: await giveClaims(parts, key, claims, () => closed.aborted), warnings };
}

/**
 * What a claim says about its worker is written and checked once per third of the lease, not for each claim. Otherwise each claim would
 * wait for a commit before it looks for a task. Claiming itself extends the lease.
 * @throws NOT_FOUND
 */
async function noteClaim(parts: ExternalParts, key: ExternalWorkerKey, { tasks, waitMs }: Omit<WantedClaims, "max">): Promise<string[]> {
  const notedAt = performance.now();
  const leaseSeconds = await noteAsking(parts.sql, key, tasks, waitMs / 1000);
  if (leaseSeconds === undefined) throw unknownWorker(key.id);
  const warnings = await warningsOf(parts, key.teamId, tasks);
  // A worker that asks for missing tasks gets the error each time.
  if (warnings.length > 0) parts.asking.delete(key.id);
  else parts.asking.set(key.id, { ...key, tasks: listOf(tasks), waitMs, freshUntil: notedAt + (leaseSeconds * 1000) / 3 });
  return warnings;
}

function isRemembered({ asking }: ExternalParts, key: ExternalWorkerKey, { tasks, waitMs }: Omit<WantedClaims, "max">): boolean {
  const known = asking.get(key.id);
  if (known?.teamId !== key.teamId || known.owner !== key.owner) return false;
  return known.tasks === listOf(tasks) && known.waitMs >= waitMs && known.freshUntil > performance.now();
}

function listOf(tasks: readonly string[]): string {
  return [...tasks].sort().join(" ");
}

async function warningsOf({ sql }: ExternalParts, teamId: string, tasks: readonly string[]): Promise<string[]> {
  const known = await listExternalTasks(sql, teamId, tasks);
  return tasks
    .filter((task) => !known.has(task))
    .map((task) => `the team has no external task ${task}: save a task of that name with the annotation millrace.dev/executor: external`);
}
