import { isFinal, type Status } from "@millrace/contract/status.ts";
import { useId, useRef, useState } from "react";
import { useSearchState } from "../../hooks/use-search-state.ts";
import classes from "./log.module.css";
import { LogFoot } from "./log-foot.tsx";
import { LogKeysHelp } from "./log-keys.tsx";
import { type LogHandle, LogLines } from "./log-lines.tsx";
import { logFile } from "./log-source.ts";
import { LogTools } from "./log-tools.tsx";
import { StepChoice } from "./step-choice.tsx";
import { useFinder } from "./use-finder.ts";
import { useLineChoice } from "./use-line-choice.ts";
import { useLogBook } from "./use-log-book.ts";
import { useLogCursor } from "./use-log-cursor.ts";
import { useLogErrors } from "./use-log-errors.ts";
import { useLogSearch } from "./use-log-search.ts";
import { useSteps } from "./use-steps.ts";
import { visibleLines } from "./visible-lines.ts";

interface LogViewProps {
  taskRun: string;
  /** Of the task, for labels and the name of the file. */
  name: string;
  status: Status;
  /** Said where there are no lines: why there are none yet, or that there are none. */
  whyEmpty: string;
}

/** The log of a task run. The lines that were chosen and the step are in the address. */
export function LogView(props: LogViewProps) {
  return <LogOfTask key={props.taskRun} {...props} />;
}

function LogOfTask({ taskRun, name, status, whyEmpty }: LogViewProps) {
  const book = useLogBook(taskRun, status);
  const [choice, setChoice] = useLineChoice();
  const [{ step }, setAddress] = useSearchState({ step: "" });
  const onlyStep = step === "" ? undefined : String(step);
  const ofStep = useFinder(book, onlyStep === undefined ? undefined : { step: onlyStep });
  const visible = visibleLines(book.count, ofStep?.ranges);
  const [looks, setLooks] = useState({ showsTime: false, isWrapped: false });
  const [isFollowing, setFollowing] = useState(!isFinal(status) && choice === undefined);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const lines = useRef<LogHandle>(null);
  const searchField = useRef<HTMLInputElement>(null);
  const helpId = useId();
  const search = useLogSearch(book, onlyStep);
  const errors = useLogErrors(book);
  const { onMatch, onError } = useSteps({
    visible,
    lines,
    choice,
    setChoice,
    setFollowing,
    search,
    errors,
    showAll: () => setAddress({ step: "" }),
  });
  const toEnd = () => {
    setFollowing(!book.isOver);
    lines.current?.showEnd();
  };
  const cursor = useLogCursor({
    ...{ book, visible, lines, choice, setChoice, setFollowing },
    onStep: (what, by) => (what === "error" ? onError(by) : onMatch(by)),
    onSearch: () => searchField.current?.focus(),
    onHelp: () => setHelpOpen(true),
  });
  return (
    <div className={classes.frame}>
      <LogTools
        {...{ search, errors, searchField, looks, isFollowing, choice, onMatch, onError }}
        steps={<StepChoice book={book} step={onlyStep} onChoose={(chosen) => setAddress({ step: chosen ?? "" })} />}
        onLooks={setLooks}
        onFollow={book.isOver ? undefined : () => (isFollowing ? setFollowing(false) : toEnd())}
        onEnd={toEnd}
        onCopy={() => void cursor.copyLink()}
        onHelp={() => setHelpOpen(true)}
        file={logFile(taskRun)}
        fileName={`${name}.log`}
      />
      {visible.count === 0 ? (
        <EmptyLog isLooking={(!book.isCaughtUp && book.error === undefined) || ofStep?.isSearching === true} whyEmpty={whyEmpty} />
      ) : (
        <LogLines
          ref={lines}
          {...{ book, visible, isFollowing, choice, ...looks }}
          memory={`${taskRun} ${step}`}
          label={`Log of ${name}`}
          describedBy={helpId}
          isWhole={onlyStep === undefined}
          onFollow={setFollowing}
          query={search.query}
          currentMatch={search.currentLine}
          onChoose={cursor.choose}
          onKeyDown={cursor.onKeyDown}
        />
      )}
      <LogFoot book={book} shown={visible.count} step={onlyStep} />
      <p id={helpId} className="only-heard">
        The arrow keys choose a line, Enter copies a link to it, and the question mark shows all keys.
      </p>
      <p role="status" className="only-heard">
        {cursor.said}
      </p>
      <LogKeysHelp isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />
    </div>
  );
}

function EmptyLog({ isLooking, whyEmpty }: { isLooking: boolean; whyEmpty: string }) {
  return (
    <p className={classes.empty} role="status">
      {isLooking ? "Reading the log …" : whyEmpty}
    </p>
  );
}
