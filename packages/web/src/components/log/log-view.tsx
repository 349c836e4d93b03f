import { isFinal, type Status } from "@millrace/contract/status.ts";
import { useEffect, useRef, useState } from "react";
import { useSearchState } from "../../hooks/use-search-state.ts";
import classes from "./log.module.css";
import type { LogBook } from "./log-book.ts";
import { LogFoot } from "./log-foot.tsx";
import { type LogHandle, LogLines } from "./log-lines.tsx";
import { logFile } from "./log-page.ts";
import { LogTools } from "./log-tools.tsx";
import { useLogBook } from "./use-log-book.ts";
import { useLogSearch } from "./use-log-search.ts";
import { visibleLines } from "./visible-lines.ts";

interface LogViewProps {
  taskRun: string;
  /** Of the task, for labels and the name of the file. */
  name: string;
  status: Status;
  /** Said where there are no lines: why there are none yet, or that there are none. */
  whyEmpty: string;
}

/** The log of a task run. The line that was chosen and the step are in the address. */
export function LogView({ taskRun, name, status, whyEmpty }: LogViewProps) {
  const book = useLogBook(taskRun, status);
  const [{ line, step }, setAddress] = useSearchState({ line: 0, step: "" });
  const [showsTime, setShowsTime] = useState(false);
  const [isWrapped, setWrapped] = useState(false);
  const [isFollowing, setFollowing] = useState(!isFinal(status) && line === 0);
  const search = useLogSearch(book);
  const lines = useRef<LogHandle>(null);
  const onlyStep = step === "" ? undefined : String(step);
  const visible = visibleLines(book, onlyStep);
  useLineOfAddress(book, Number(line), lines);
  const go = (target: number | undefined) => {
    if (target === undefined) return;
    setFollowing(false);
    lines.current?.showLine(target);
  };
  const toEnd = async () => {
    setFollowing(!book.isOver);
    await book.readAll();
    lines.current?.showEnd();
  };
  const toError = async () => {
    if (book.firstError === undefined) await book.readAll();
    const target = book.firstError ?? book.firstStderr;
    if (target === undefined) return;
    setAddress({ line: target + 1, ...(onlyStep !== undefined && !visible.shows(target) && { step: "" }) });
    go(target);
  };
  return (
    <div className={classes.frame}>
      <LogTools
        search={search}
        onStep={(by) => go(search.step(by, lines.current?.firstShown() ?? 0))}
        steps={book.steps.filter((one) => one !== "")}
        step={onlyStep}
        onStepChosen={(chosen) => setAddress({ step: chosen ?? "" })}
        showsTime={showsTime}
        onTime={() => setShowsTime(!showsTime)}
        isWrapped={isWrapped}
        onWrap={() => setWrapped(!isWrapped)}
        isFollowing={isFollowing}
        onFollow={book.isOver ? undefined : () => (isFollowing ? setFollowing(false) : void toEnd())}
        onError={() => void toError()}
        onEnd={() => void toEnd()}
        file={logFile(taskRun)}
        fileName={`${name}.log`}
      />
      <LogLines
        key={taskRun}
        ref={lines}
        memory={taskRun}
        label={`Log of ${name}`}
        book={book}
        visible={visible}
        showsTime={showsTime}
        isWrapped={isWrapped}
        isFollowing={isFollowing}
        onFollow={setFollowing}
        query={search.query}
        currentMatch={search.current < 0 ? -1 : (search.matches[search.current] ?? -1)}
        chosen={Number(line) - 1}
        onChoose={(index) => setAddress({ line: index + 1 })}
        whyEmpty={whyEmpty}
      />
      <LogFoot book={book} shown={visible.count} step={onlyStep} />
    </div>
  );
}

/** Goes to the line that the address names, once: as soon as it was read. */
function useLineOfAddress(book: LogBook, line: number, lines: { current: LogHandle | null }) {
  const wanted = useRef(line);
  const isThere = book.count >= wanted.current;
  useEffect(() => {
    if (wanted.current <= 0) return;
    if (!isThere) {
      if (book.isHeldBack) void book.readAll();
      return;
    }
    lines.current?.showLine(wanted.current - 1);
    wanted.current = 0;
  }, [book, isThere, book.isHeldBack, lines]);
}
