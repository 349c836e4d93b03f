import { looksLikeError } from "@millrace/contract/log/log-errors.ts";
import { memo, type ReactNode } from "react";
import { t } from "../../../texts/run/log.ts";
import type { LogLine } from "../log-source.ts";
import type { AnsiStyle } from "./ansi-style.ts";
import { type AnsiSpan, ansiSpans } from "./ansi-text.ts";
import { levelOf } from "./log-level.ts";
import classes from "./log-line.module.css";

interface LogLineRowProps {
  /** The index in the whole log. */
  index: number;
  /** Undefined while its block is loading. */
  line: LogLine | undefined;
  /** The style that the previous lines left set. */
  pen: AnsiStyle;
  showsTime: boolean;
  isWrapped: boolean;
  /** The name of the step, at its first line and if there are several steps. */
  step: string | undefined;
  query: string;
  isChosen: boolean;
  isCurrentMatch: boolean;
  /** @param isMore extends the current selection to this line */
  onChoose: (index: number, isMore: boolean) => void;
}

/** One line of a log: its number (a link to the line), its time and its text. The text is never interpreted as markup. */
export const LogLineRow = memo(function LogLineRow(props: LogLineRowProps) {
  const { index, line, pen, showsTime, isWrapped, step, query, isChosen, isCurrentMatch, onChoose } = props;
  const number = index + 1;
  const isError = line !== undefined && looksLikeError(line);
  return (
    <div
      className={classes.line}
      data-line={number}
      data-stream={line?.stream}
      data-level={line && levelOf(line.text)}
      data-wrap={isWrapped || undefined}
      data-chosen={isChosen || undefined}
      data-current={isCurrentMatch || undefined}
    >
      <a
        className={classes.number}
        href={`?line=${number}`}
        tabIndex={-1}
        aria-label={t("logLine.line", { number: String(number) })}
        onClick={(event) => {
          event.preventDefault();
          onChoose(index, event.shiftKey);
        }}
      >
        {number}
      </a>
      <span className={classes.sign} title={isError ? t("logLine.looksLikeError") : undefined}>
        {isError ? "!" : ""}
      </span>
      {showsTime && <span className={classes.time}>{line ? line.time.slice(11, 23) : ""}</span>}
      {step !== undefined && <span className={classes.step}>{step}</span>}
      <span className={classes.text}>{line ? ansiSpans(line.text, pen).map((span, place) => spanOf(span, place, query)) : "…"}</span>
    </div>
  );
});

function spanOf(span: AnsiSpan, key: number, query: string): ReactNode {
  const text = query === "" ? span.text : highlighted(span.text, query);
  if (span.tone === undefined && span.ground === undefined && span.looks === undefined) return <span key={key}>{text}</span>;
  return (
    <span key={key} data-tone={span.tone} data-ground={span.ground} data-looks={span.looks?.join(" ")}>
      {text}
    </span>
  );
}

function highlighted(text: string, query: string): ReactNode {
  const [lower, wanted] = [text.toLowerCase(), query.toLowerCase()];
  const parts: ReactNode[] = [];
  let from = 0;
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, from)) {
    parts.push(text.slice(from, at), <mark key={at}>{text.slice(at, at + wanted.length)}</mark>);
    from = at + wanted.length;
  }
  return parts.length === 0 ? text : [...parts, text.slice(from)];
}
