/**
 * When a time of a schedule is acted on: up to `jitterSeconds` later, by a number that follows from the schedule and the time alone. So
 * every process computes the same, the same time never moves, and schedules of one minute are spread.
 */
export function fireAt(scheduleId: string, time: Date, jitterSeconds: number): Date {
  const spanMs = jitterSeconds * 1000;
  return spanMs === 0 ? time : new Date(time.getTime() + (scramble(`${scheduleId} ${time.getTime()}`) % (spanMs + 1)));
}

/** FNV-1a of 32 bits (RFC 9923), then the finish of MurmurHash3: neighbouring times differ in their last digits only. */
function scramble(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
