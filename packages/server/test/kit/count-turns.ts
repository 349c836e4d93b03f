/**
 * Counts the turns of the event loop during some work. The time between two turns means little on a busy machine, where a process waits for
 * a processor; but work that yields to other work makes the loop turn equally often everywhere.
 */
export async function countTurns<T>(work: () => Promise<T>): Promise<{ turns: number; result: T }> {
  let turns = 0;
  let isOver = false;
  const turn = (): void => {
    turns++;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  try {
    const result = await work();
    return { result, turns };
  } finally {
    isOver = true;
  }
}
