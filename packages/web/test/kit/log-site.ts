import { deflateRawSync } from "node:zlib";
import type { Page } from "playwright-core";
import { blockOfLine, encodeBlocks } from "../../../server/src/core/log/log-lines.ts";
import { insertLogChunks } from "../../../server/src/store/log/log-chunks.ts";
import { runSite, shell } from "./run-site.ts";
import type { Site } from "./site.ts";

/** Logs for tests of pages that show them. */
export function logSite(site: Site) {
  const runs = runSite(site);

  /** A run whose only task has ended, and the lines of its log in addition to its own. */
  async function ended(script = "echo begin") {
    const team = await runs.team();
    const { id, path } = await runs.start(team.owner.token, team, [shell("work", script)]);
    const { tasks } = await runs.over(team.owner.token, team, id);
    const task = tasks.find(({ name }) => name === "work") as { id: string };
    return { team, token: team.owner.token, id, task, path: `${path}?task=${task.id}&tab=log&wide=true` };
  }

  /** Stores lines as a worker does: in chunks, here after the existing ones. */
  async function append(teamId: string, taskRunId: string, lines: string[], linesOfChunk = 2_000, stepOf = (_index: number) => "main") {
    for (let first = 0; first < lines.length; first += linesOfChunk) {
      const part = lines
        .slice(first, first + linesOfChunk)
        .map((text, index) => ({ at: Date.UTC(2026, 0, 2) + first + index, step: stepOf(first + index), stream: "output" as const, text }));
      const raw = encodeBlocks(part.map(blockOfLine));
      const seq = 10 + first / linesOfChunk;
      const place = { teamId, taskRunId, attempt: 1, seq, firstLine: first, lineCount: part.length, rawBytes: raw.length };
      await insertLogChunks(site.sql, [{ ...place, data: deflateRawSync(raw, { level: 1 }) }]);
    }
  }

  const log = (page: Page) => page.getByRole("log");

  return { ended, append, log };
}
