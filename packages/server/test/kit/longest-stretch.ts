/** Shorter stretches are the turns in between. */
const leastMs = 2;

/**
 * How long some work kept others from their turn of the event loop, in processor time of this process, which other load on the machine
 * hardly changes.
 *
 * @returns the longest stretch as a share of all stretches together: 1 if all work was done in one turn
 */
export async function longestStretch<T>(work: () => Promise<T>): Promise<{ share: number; stretchesMs: number[]; result: T }> {
  const stretchesMs: number[] = [];
  let isOver = false;
  let last = processorMs();
  const turn = (): void => {
    const now = processorMs();
    if (now - last > leastMs) stretchesMs.push(now - last);
    last = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  try {
    const result = await work();
    const total = stretchesMs.reduce((sum, one) => sum + one, 0);
    return { result, stretchesMs, share: total === 0 ? 0 : Math.max(...stretchesMs) / total };
  } finally {
    isOver = true;
  }
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
