import { maxExternalLogBytes, packLines, packNotice } from "../../core/external/external-lines.ts";
import { insertLines } from "../../store/external/external-log.ts";
import type { ExternalWorkerKey } from "../../store/external/external-workers.ts";
import { channels } from "../run/report-changes.ts";
import type { ExternalParts, HeldAttempt } from "./external-parts.ts";
import { type AttemptName, findHeld, loadLogBytes, nameOf } from "./held-attempts.ts";

/** Appends lines of attempts that the worker holds to their logs, masked. @returns the names of those whose lines are stored */
export async function addExternalLines(
  parts: ExternalParts,
  key: ExternalWorkerKey,
  attempts: readonly (AttemptName & { lines: readonly string[] })[],
): Promise<Set<string>> {
  const held = await findHeld(parts, key, attempts);
  const lines = new Map<HeldAttempt, string[]>();
  for (const attempt of attempts) {
    const holder = held.get(nameOf(attempt));
    if (holder && attempt.lines.length > 0) lines.set(holder, [...(lines.get(holder) ?? []), ...attempt.lines]);
  }
  const chunks: { holder: HeldAttempt; isDropped: boolean; lineCount: number; blocks: Buffer }[] = [];
  for (const [holder, added] of lines) {
    const bytes = await loadLogBytes(parts, holder);
    if (bytes > maxExternalLogBytes) continue;
    const packed = packLines(added, holder.job.masker, Date.now());
    holder.logBytes = bytes + packed.blocks.length;
    // The first line that exceeds the limit says so; the following ones are dropped silently.
    const isDropped = holder.logBytes > maxExternalLogBytes;
    chunks.push({ holder, isDropped, ...(isDropped ? packNotice(Date.now()) : packed) });
  }
  chunks.sort((a, b) => (a.holder.job.claim.id < b.holder.job.claim.id ? -1 : 1));
  const rows = chunks.map(({ holder, lineCount, blocks }) => {
    const { id, attempt } = holder.job.claim;
    return { taskRunId: id, attempt, lineCount, blocks };
  });
  const stored = await insertLines(parts.sql, key.teamId, rows);
  for (const { taskRunId } of rows) parts.bus.wake(channels.logs, taskRunId);
  return new Set(chunks.flatMap(({ holder, isDropped }, index) => (stored[index] && !isDropped ? [nameOf(holder.job.claim)] : [])));
}
