/**
 * For answers that grow with what they show, such as a run of thousands of tasks: after one that took long to come, the next is
 * asked for later, so that watching takes a fourth of the time at most. What is small is not slowed down.
 */

const longestPauseMs = 5_000;
/** As many times as the answer took. */
const restFactor = 3;

interface LastAnswer {
  endedAt: number;
  tookMs: number;
}

const last = new Map<string, LastAnswer>();

/** @param key of the thing that is asked for again and again */
export async function paced<Answer>(key: string, ask: () => Promise<Answer>): Promise<Answer> {
  const before = last.get(key);
  const pause = before === undefined ? 0 : pauseBefore(before, Date.now());
  if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
  const startedAt = Date.now();
  const answer = await ask();
  last.set(key, { endedAt: Date.now(), tookMs: Date.now() - startedAt });
  return answer;
}

/** Milliseconds that are left of the rest. What took less than a tenth of a second needs none. */
function pauseBefore({ endedAt, tookMs }: LastAnswer, nowMs: number): number {
  if (tookMs < 100) return 0;
  return Math.max(0, endedAt + Math.min(longestPauseMs, tookMs * restFactor) - nowMs);
}
