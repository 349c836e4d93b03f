import type { Database, Queryable } from "../../database/database.ts";

/** Slots of the limits that a workflow sets for its runs: how the engine and submissions call store/functions/run-slots.sql. */

/** What a run needs before it may be queued. */
interface LimitRequest {
  /** Its position in the queue: a smaller one comes first. */
  rank: string;
  key: string | null;
  /** The key as people see it. */
  label: string | null;
  max: number | null;
  on_limit: string | null;
  rate_key: string | null;
  rate_label: string | null;
  rate_limit: number | null;
  rate_ms: number | null;
  /** It starts now or not at all, so it waits for others that are being submitted, instead of joining the queue. */
  must_start: boolean;
}

/** `free`: it may be queued; `slot`, `rate`: it waits for that. */
type SlotAnswer = { state: "free" | "slot" | "rate" } | { state: "skipped"; message: string };

/** In the transaction that records the run. */
export async function requestSlot(
  tx: Queryable,
  run: { teamId: string; workflowId: string; id: string },
  limits: LimitRequest,
): Promise<SlotAnswer> {
  const [row] = await tx<{ answer: string }[]>`
    select request_slot(${run.teamId}, ${run.workflowId}, ${run.id}, ${JSON.stringify(limits)}::json) as answer`;
  const answer = row?.answer ?? "";
  if (answer === "free" || answer === "slot" || answer === "rate") return { state: answer };
  return { state: "skipped", message: `S${answer.slice(1)}` };
}

/** Lets runs continue whose limit has room again. Any number of processes may do it at once. @returns how many limits were examined */
export async function admitWaiting(sql: Database, most: number): Promise<number> {
  const [row] = await sql<{ seen: number }[]>`select admit_waiting(${most}) as seen`;
  return row?.seen ?? 0;
}

/** What held runs of a team wait for, in words with names, by their ids. */
export async function listSlotWaits(db: Queryable, teamId: string, runIds: readonly string[]): Promise<Map<string, string>> {
  if (runIds.length === 0) return new Map();
  const rows = await db<{ id: string; text: string }[]>`
    select w.run_id as id, case w.kind
      when 'slot' then 'Waiting for a slot: ' || slot_text(w.team_id, w.workflow_id, w.key, w.label, w.max)
      else rate_text(w.team_id, w.workflow_id, w.key, w.label, w.rate_limit, w.rate_ms) end || line_text(w) as text
    from run_waiting w where w.team_id = ${teamId} and w.run_id = any(${[...runIds]}::uuid[])
    union all
    select c.run_id, collection_text(c) from run_collection c where c.team_id = ${teamId} and c.run_id = any(${[...runIds]}::uuid[])`;
  return new Map(rows.map(({ id, text }) => [id, text]));
}

/** Deletes slots of rates that are free again, some thousand at once: of keys that no run has requested since. */
export async function pruneFreeSlots(db: Queryable): Promise<void> {
  await db`
    delete from run_slot where (team_id, workflow_id, kind, key, slot) in (
      select team_id, workflow_id, kind, key, slot from run_slot
      where free_at < (select db_now()) order by free_at limit 5000 for update skip locked) and free_at < (select db_now())`;
}
