import { setMaxListeners } from "node:events";
import { PassThrough } from "node:stream";
import { LogStream } from "../../../src/api/log/log-stream.ts";
import { ByteBudget } from "../../../src/base/process/byte-budget.ts";
import type { EngineNode } from "../run/engine-node.ts";

const everyMs = 500;
const mostReaders = 12;
/** Less than this many readers request, so that they also wait for one another. */
const bytesOfReaders = 8 << 20;

/**
 * Readers that follow the logs of running tasks and never read what they are sent. @returns a function that ends them, as stopping a server
 * does
 */
export function neglectLogs({ sql, bus }: EngineNode): () => void {
  const readers = new ByteBudget(bytesOfReaders);
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const open = new Set<LogStream>();
  const neglect = ({ runId, ...place }: { teamId: string; taskRunId: string; runId: string }) => {
    const options = {
      mayRead: async () => true,
      isFollowing: true,
      write: ({ text }: { text: string }) => `${text}\n`,
      stopping: stopping.signal,
      readers,
    };
    const from = { attempt: 0, seq: -1, line: 0 };
    const stream = new LogStream({
      source: { db: sql, store: undefined, ...place },
      runId,
      ...options,
      bus,
      from,
      limit: Number.POSITIVE_INFINITY,
    });
    const full = new PassThrough({ highWaterMark: 1 });
    full.write("what nobody reads");
    stream.paceBy(full);
    open.add(stream);
    // The database may be unreachable.
    stream.on("error", () => undefined).on("close", () => open.delete(stream));
    stream.resume();
  };
  const timer = setInterval(async () => {
    if (open.size >= mostReaders) return;
    const running = await sql<{ teamId: string; taskRunId: string; runId: string }[]>`
      select team_id, id as task_run_id, run_id from task_run where phase = 'running' and type = 'script' limit 4`.catch(() => []);
    if (!stopping.signal.aborted) for (const place of running) neglect(place);
  }, everyMs);
  return () => {
    clearInterval(timer);
    stopping.abort();
  };
}
