import { deflateRawSync } from "node:zlib";
import { blockOfLine, encodeBlocks, type StoredLine } from "../../../src/core/log/log-lines.ts";
import { insertLogChunks } from "../../../src/store/log/log-chunks.ts";
import type { Claim } from "../../../src/store/worker/workers.ts";
import type { TestAppOptions } from "../app.ts";
import { runKit } from "../run-kit.ts";
import { node, workflow } from "../run-simulator.ts";

/** Task runs with logs as a worker writes them, and a second attempt. */
export async function logKit(options?: TestAppOptions) {
  const parts = await runKit(options);
  const { app, kit, team } = parts;
  const works = workflow(node("work", "script", ["start"], { retry: { count: 1, backoffMs: 0 } }));

  /** One chunk of lines, each a text or a whole line. */
  async function write(claim: Claim, seq: number, lines: readonly (string | Partial<StoredLine>)[]): Promise<void> {
    const stored = lines.map((line, index): StoredLine => {
      const plain = { at: Date.UTC(2026, 0, 2) + seq * 1000 + index, step: "main", stream: "output" as const, text: "" };
      return typeof line === "string" ? { ...plain, text: line } : { ...plain, ...line };
    });
    const raw = encodeBlocks(stored.map(blockOfLine));
    const place = { teamId: claim.teamId, taskRunId: claim.id, attempt: claim.attempt, seq, firstLine: 0 };
    await insertLogChunks(app.sql, [{ ...place, lineCount: stored.length, rawBytes: raw.length, data: deflateRawSync(raw) }]);
    app.bus.wake("logs", claim.id);
  }

  async function claimed() {
    const made = await team();
    const workflowId = await made.workflow("works", works);
    const { id: runId } = await made.submit("works");
    const claim = await made.claim(await kit.worker());
    return { ...made, workflowId, runId, claim, path: `/api/v2/taskrun/${claim.id}/log` };
  }

  /** Starts the next attempt, after a failure of that one. */
  async function again(claim: Claim, teamId: string): Promise<Claim> {
    await kit.end(claim, { status: "failed", reason: "ExitCode", message: "Exit code 3" });
    await app.sql`update task_run set due_at = db_now() where team_id = ${teamId} and wait_kind = 'retry'`;
    await kit.settle();
    return kit.claim(await kit.worker(), teamId);
  }

  return { ...parts, write, claimed, again };
}
