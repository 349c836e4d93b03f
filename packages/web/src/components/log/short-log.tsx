import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { waitForLine } from "../../api/client.ts";
import { tryLogQuery } from "../../api/queries/task/task-catalog.ts";
import { t } from "../../texts/run/log.ts";
import classes from "./short-log.module.css";

/** As much of the log as people read after a try; the page of the run has all of it. */
export function ShortLog({ taskRun, isOver }: { taskRun: string; isOver: boolean }) {
  const data = useShortLog(taskRun, isOver);
  const lines = data?.lines ?? [];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keyboard
    <pre className={classes.short} tabIndex={0} aria-label={t("shortLog.log")} role="log">
      {lines.length === 0 ? (
        <span className="quiet">{isOver ? t("shortLog.logEmpty") : t("shortLog.waitingFirstLine")}</span>
      ) : (
        lines.map(({ text }) => withoutColours(text)).join("\n")
      )}
      {data?.hasMore && `\n${t("shortLog.more")}`}
    </pre>
  );
}

/** Without escape sequences of terminals. */
export function withoutColours(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what they begin with
  return line.replace(/\x1b\[[0-9;?]*[A-Za-z]/g, "");
}

/** Lines that arrive within this time are read together. */
const gatherMs = 400;
/** The polling interval after a failed request. */
const cutMs = 4_000;

/** The log of a try as it grows: read again when the service reports more lines. @param isOver the log won't grow any more */
function useShortLog(taskRun: string, isOver: boolean) {
  const { data, refetch } = useQuery(tryLogQuery(taskRun, isOver));
  const count = data === undefined || data.hasMore ? undefined : data.lines.length;
  useEffect(() => {
    if (isOver || count === undefined) return;
    const left = new AbortController();
    const read = async () => ((await refetch()).data?.lines.length ?? 0) > count;
    void follow((signal) => waitForLine(taskRun, count + 1, signal), read, left.signal);
    return () => left.abort();
  }, [taskRun, isOver, count, refetch]);
  return data;
}

/** @param read reads the log again; returns true if it has grown, in which case the next render waits for the next line */
async function follow(wait: (signal: AbortSignal) => Promise<void>, read: () => Promise<boolean>, left: AbortSignal): Promise<void> {
  for (let isCut = true; isCut; ) {
    isCut = await wait(left).then(
      () => false,
      () => true,
    );
    if (left.aborted) return;
    await pause(isCut ? cutMs : gatherMs);
    if (left.aborted || (await read())) return;
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
