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

/** The present time whenever it is drawn, at the latest each half minute: of an older one, what was saved just now would be yet to come. */
function useNow(): number {
  const [, draw] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => draw((times) => times + 1), 30_000);
    return () => clearInterval(timer);
  }, []);
  return Date.now();
}
