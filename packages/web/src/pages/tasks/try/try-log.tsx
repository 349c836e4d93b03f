import { t } from "../../../texts/tasks.ts";
import classes from "../tasks.module.css";
import { useTryLog } from "./use-try-log.ts";

/** As much of the log as one looks at after a try; the page of the run has all of it. */
export function TryLog({ taskRun, isOver }: { taskRun: string; isOver: boolean }) {
  const data = useTryLog(taskRun, isOver);
  const lines = data?.lines ?? [];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reached by keyboard
    <pre className={classes.log} tabIndex={0} aria-label={t("tryLog.log")} role="log">
      {lines.length === 0 ? (
        <span className="quiet">{isOver ? t("tryLog.logEmpty") : t("tryLog.waitingFirstLine")}</span>
      ) : (
        lines.map(({ text }) => withoutColours(text)).join("\n")
      )}
      {data?.hasMore && `\n${t("tryLog.more")}`}
    </pre>
  );
}

/** Escape sequences of terminals. */
function withoutColours(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what they begin with
  return line.replace(/\x1b\[[0-9;?]*[A-Za-z]/g, "");
}
