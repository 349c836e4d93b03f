import type { Status } from "@millrace/contract/status.ts";
import { useId, useState } from "react";
import { t } from "../../texts/log.ts";
import { LogLines } from "./lines/log-lines.tsx";
import classes from "./log.module.css";
import { LogFoot } from "./log-foot.tsx";
import { LogKeysHelp } from "./log-keys.tsx";
import { logFile } from "./log-source.ts";
import { LogTools, type Looks } from "./log-tools.tsx";
import { StepChoice } from "./step-choice.tsx";
import { type LogState, useLogState } from "./use-log-state.ts";

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
  const log = useLogState(taskRun, status);
  const { book, visible, onlyStep, ofStep } = log;
  const [looks, setLooks] = useState({ showsTime: false, isWrapped: false });
  const helpId = useId();
  return (
    <div className={classes.frame}>
      <Tools log={log} looks={looks} onLooks={setLooks} taskRun={taskRun} name={name} />
      {visible.count === 0 ? (
        <EmptyLog
          isLooking={(!book.isCaughtUp && book.error === undefined) || ofStep?.isSearching === true}
          whyEmpty={book.removed ?? whyEmpty}
        />
      ) : (
        <LogLines
          ref={log.lines}
          {...{ book, visible, ...looks }}
          {...{ isFollowing: log.isFollowing, choice: log.choice }}
          memory={`${taskRun} ${onlyStep ?? ""}`}
          label={t("logView.log", { name })}
          describedBy={helpId}
          isWhole={onlyStep === undefined}
          onFollow={log.setFollowing}
          query={log.search.query}
          currentMatch={log.search.currentLine}
          onChoose={log.cursor.choose}
          onKeyDown={log.cursor.onKeyDown}
        />
      )}
      <LogFoot book={book} shown={visible.count} step={onlyStep} />
      <Heard helpId={helpId} said={log.cursor.said} />
      <LogKeysHelp isOpen={log.isHelpOpen} onClose={() => log.setHelpOpen(false)} />
    </div>
  );
}

interface ToolsProps extends Pick<LogViewProps, "taskRun" | "name"> {
  log: LogState;
  looks: Looks;
  onLooks: (looks: Looks) => void;
}

function Tools({ log, looks, onLooks, taskRun, name }: ToolsProps) {
  const { book, search, errors, searchField, isFollowing, setFollowing, choice, onMatch, onError, onlyStep, chooseStep, toEnd } = log;
  return (
    <LogTools
      {...{ search, errors, searchField, looks, onLooks, isFollowing, choice, onMatch, onError }}
      steps={<StepChoice book={book} step={onlyStep} onChoose={chooseStep} />}
      onFollow={book.isOver ? undefined : () => (isFollowing ? setFollowing(false) : toEnd())}
      onEnd={toEnd}
      onCopy={() => void log.cursor.copyLink()}
      onHelp={() => log.setHelpOpen(true)}
      file={logFile(taskRun)}
      fileName={`${name}.log`}
    />
  );
}

/** For who does not see the lines. */
function Heard({ helpId, said }: { helpId: string; said: string }) {
  return (
    <>
      <p id={helpId} className="only-heard">
        {t("logView.useArrowKeysLine")}
      </p>
      <p role="status" className="only-heard">
        {said}
      </p>
    </>
  );
}

function EmptyLog({ isLooking, whyEmpty }: { isLooking: boolean; whyEmpty: string }) {
  return (
    <p className={classes.empty} role="status">
      {isLooking ? t("logView.loadingLog") : whyEmpty}
    </p>
  );
}
