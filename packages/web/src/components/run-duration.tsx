import { Text } from "@mantine/core";
import { useEffect, useMemo, useState } from "react";
import { hasComments } from "../forms/task-form/yaml-edit.ts";
import { t } from "../texts/shared.ts";
import { durationText } from "../ui/time/time-format.ts";

interface RunDurationProps {
  run: { startTime?: string; duration: number; phase: string };
}

/** How long a run took; how long it takes by now, each second, while it goes on. */
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

interface CommentNoticeProps {
  text: string;
  /** What becomes of them here. */
  why?: string;
}

/** Says of a text with comments that they are lost, as soon as the first one is written. */
export function CommentNotice({ text, why = t("commentNotice.onlyDocumentWithoutThem") }: CommentNoticeProps) {
  const isCommented = useMemo(() => hasComments(text), [text]);
  if (!isCommented) return null;
  return (
    <Text size="sm" className="quiet" role="note">
      {t("commentNotice.commentsNotSaved", { why })}
    </Text>
  );
}
