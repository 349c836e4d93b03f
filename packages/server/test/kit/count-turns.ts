/**
 * Counts how often the event loop turns while something is done. The time between two turns says little on a busy machine, where a
 * process waits for a processor; work that lets others in between turns the loop as often everywhere.
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
