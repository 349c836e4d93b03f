/** Timers can't wait longer, about 24 days; a deadline beyond it is looked at again. */
const maxTimerMs = 2_147_483_647;

/** @returns what ends the waiting; a deadline that has passed already calls back at once */
export function startDeadline(timeoutMs: number, onDeadline: () => void): () => void {
  const endsAt = performance.now() + timeoutMs;
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    const leftMs = endsAt - performance.now();
    if (leftMs <= 0) onDeadline();
    else timer = setTimeout(wait, Math.min(leftMs, maxTimerMs));
  };
  wait();
  return () => clearTimeout(timer);
}
