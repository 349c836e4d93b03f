import { Tooltip } from "@mantine/core";
import { useEffect, useState } from "react";
import { exactTime, relativeTime } from "./time-format.ts";

/** How long ago, or in how long; the exact time in the viewer's zone on hover and for who listens. @param at ISO 8601 */
export function TimeText({ at, isExact = false }: { at: string | null | undefined; isExact?: boolean }) {
  const now = useNow();
  if (!at) return <span className="quiet">–</span>;
  const exact = exactTime(at);
  if (isExact) return <time dateTime={at}>{exact}</time>;
  return (
    <Tooltip label={exact} openDelay={300}>
      <time dateTime={at}>{relativeTime(at, now)}</time>
    </Tooltip>
  );
}

/** The present time, anew each half minute. */
function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
