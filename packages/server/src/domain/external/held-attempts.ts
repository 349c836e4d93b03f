import { countLogBytes } from "../../store/external/external-log.ts";
import { type ExternalWorkerKey, listHeldClaims } from "../../store/external/external-workers.ts";
import type { ExternalParts, HeldAttempt } from "./external-parts.ts";
import { type ExternalJob, prepareExternal } from "./prepare-external.ts";

export interface AttemptName {
  id: string;
  attempt: number;
}

/** Ids in the form of the database, so that each attempt has only one name. */
export function nameOf({ id, attempt }: AttemptName): string {
  return `${id.toLowerCase()} ${attempt}`;
}

export function remember({ held }: ExternalParts, { id, owner }: ExternalWorkerKey, job: ExternalJob, logBytes?: number): HeldAttempt {
  const attempt: HeldAttempt = { workerId: id, owner, job, logBytes };
  held.set(nameOf(job.claim), attempt);
  return attempt;
}

/** Those of these attempts that the worker holds, by name. Remembered ones may be outdated: the fence decides. */
export async function findHeld(
  parts: ExternalParts,
  key: ExternalWorkerKey,
  names: readonly AttemptName[],
): Promise<Map<string, HeldAttempt>> {
  const found = new Map<string, HeldAttempt>();
  const unknown: AttemptName[] = [];
  for (const name of names) {
    const known = parts.held.get(nameOf(name));
    if (!known) unknown.push(name);
    else if (known.workerId === key.id && known.owner === key.owner && known.job.claim.teamId === key.teamId)
      found.set(nameOf(name), known);
  }
  if (unknown.length === 0) return found;
  const wanted = new Set(unknown.map(nameOf));
  const rows = await listHeldClaims(
    parts.sql,
    key,
    unknown.map(({ id }) => id),
  );
  const claims = rows.filter((row) => wanted.has(nameOf(row)));
  for (const { job } of await prepareExternal(parts.sql, parts.context, parts.recent, claims))
    if (job) found.set(nameOf(job.claim), remember(parts, key, job));
  return found;
}

/** Bytes of its log so far, counted once. */
export async function loadLogBytes({ sql }: ExternalParts, held: HeldAttempt): Promise<number> {
  const { teamId, id, attempt } = held.job.claim;
  held.logBytes ??= await countLogBytes(sql, teamId, id, attempt);
  return held.logBytes;
}
