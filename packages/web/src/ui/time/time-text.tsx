import { Tooltip } from "@mantine/core";
import { useEffect, useState } from "react";
import { exactTime, relativeTime } from "./time-format.ts";

/** A relative time; the exact time in the viewer's time zone on hover and for screen readers. @param at ISO 8601 */
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

/**
 * The current time at each render, at most half a minute old: with an older one, something saved just now would appear to be in the future.
 */
function useNow(): number {
  const [, draw] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => draw((times) => times + 1), 30_000);
    return () => clearInterval(timer);
  }, []);
  return Date.now();
}
