import { useEffect, useState } from "react";
import { durationText } from "../ui/time/time-format.ts";

interface RunDurationProps {
  run: { startTime?: string; duration: number; phase: string };
}

/** How long a run took; how long it takes by now, each second, while it continues. */
export function RunDuration({ run }: RunDurationProps) {
  if (run.startTime === undefined) return <span className="quiet">–</span>;
  return run.phase === "running" ? <Ticking since={run.startTime} /> : <span>{durationText(run.duration)}</span>;
}

function Ticking({ since }: { since: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return <span>{durationText(Math.max(0, Math.floor((now - new Date(since).getTime()) / 1000) * 1000))}</span>;
}
