import { Button, Select } from "@mantine/core";
import type { Status } from "@millrace/contract/status.ts";
import { useId, useState } from "react";
import { messageOf } from "../../api/api-error.ts";
import { t } from "../../texts/run/log.ts";
import { type LevelFilter, levelFilters } from "./lines/log-level.ts";
import { LogLines } from "./lines/log-lines.tsx";
import classes from "./log.module.css";
import { LogKeysHelp } from "./log-keys.tsx";
import { logFile } from "./log-source.ts";
import type { LogStore } from "./log-store.ts";
import { LogTools, type Looks } from "./log-tools.tsx";
import { useFinder } from "./search/use-log-search.ts";
import { type LogState, useLogState } from "./use-log-state.ts";

interface LogViewProps {
  taskRun: string;
  /** The name of the task, for labels and the file name. */
  name: string;
  status: Status;
  /** Shown when there are no lines: why there are none yet, or that there are none. */
  whyEmpty: string;
}

/** The log of a task run. The URL stores the selected lines and the step. */
export function LogView(props: LogViewProps) {
  return <LogOfTask key={props.taskRun} {...props} />;
}

function LogOfTask({ taskRun, name, status, whyEmpty }: LogViewProps) {
  const log = useLogState(taskRun, status);
  const { book, visible, onlyStep, onlyLevel, ofStep } = log;
  const isPart = onlyStep !== undefined || onlyLevel !== undefined;
  const [looks, setLooks] = useState({ showsTime: false, isWrapped: false });
  const helpId = useId();
  return (
    <div className={classes.frame}>
      <Tools log={log} looks={looks} onLooks={setLooks} taskRun={taskRun} name={name} />
      {visible.count === 0 ? (
        <EmptyLog
          isLooking={(!book.isCaughtUp && book.error === undefined) || ofStep?.isSearching === true}
          whyEmpty={book.removed ?? (onlyLevel !== undefined && book.count > 0 ? t("levelChoice.noLines") : whyEmpty)}
        />
      ) : (
        <LogLines
          ref={log.lines}
          {...{ book, visible, ...looks }}
          {...{ isFollowing: log.isFollowing, choice: log.choice }}
          memory={`${taskRun} ${onlyStep ?? ""} ${onlyLevel ?? ""}`}
          label={t("logView.log", { name })}
          describedBy={helpId}
          isWhole={!isPart}
          onFollow={log.setFollowing}
          query={log.search.query}
          currentMatch={log.search.currentLine}
          onChoose={log.cursor.choose}
          onKeyDown={log.cursor.onKeyDown}
        />
      )}
      <LogFoot book={book} shown={visible.count} isPart={isPart} step={onlyStep} />
      <ScreenReaderTexts helpId={helpId} said={log.cursor.said} />
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
      steps={
        <>
          <StepChoice book={book} step={onlyStep} onChoose={chooseStep} />
          <LevelChoice level={log.onlyLevel} onChoose={log.chooseLevel} />
        </>
      }
      onFollow={book.isOver ? undefined : () => (isFollowing ? setFollowing(false) : toEnd())}
      onEnd={toEnd}
      onCopy={() => void log.cursor.copyLink()}
      onHelp={() => log.setHelpOpen(true)}
      file={logFile(taskRun)}
      fileName={`${name}.log`}
    />
  );
}

/** Announcements for screen readers. */
function ScreenReaderTexts({ helpId, said }: { helpId: string; said: string }) {
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

/** Below a log: its length, whether more lines are expected, and any errors. */
function LogFoot({ book, shown, isPart, step }: { book: LogStore; shown: number; isPart: boolean; step: string | undefined }) {
  const count = (number: number) => t("logFoot.lineLines", { number });
  return (
    <div className={classes.foot}>
      <span>
        {!isPart
          ? count(book.count)
          : step === undefined
            ? t("logFoot.part", { count: count(shown), count2: book.count })
            : t("logFoot.total", { count: count(shown), step, count2: book.count })}
      </span>
      {book.error === undefined ? (
        <span>
          {book.removed !== undefined
            ? t("logFoot.removed")
            : book.isOver
              ? t("logFoot.endLog")
              : book.isCaughtUp
                ? t("logFoot.waitingMoreOutput")
                : t("logFoot.loading")}
        </span>
      ) : (
        <>
          <span role="alert" className={classes.alert}>
            {messageOf(book.error)}
          </span>
          <Button size="compact-xs" variant="default" onClick={() => void book.tryAgain()}>
            {t("logFoot.tryAgain")}
          </Button>
        </>
      )}
    </div>
  );
}

interface StepChoiceProps {
  book: LogStore;
  step: string | undefined;
  onChoose: (step: string | undefined) => void;
}

/** Shows the lines of one step only. The steps of a long log are requested when the selection is opened. */
function StepChoice({ book, step, onChoose }: StepChoiceProps) {
  const [isAsked, setAsked] = useState(false);
  const all = useFinder(book, isAsked && !book.isShort ? {} : undefined);
  const steps = [...new Set([...(all?.steps ?? []), ...book.steps, ...(step === undefined ? [] : [step])])];
  if (steps.length < 2 && book.isShort && step === undefined) return null;
  return (
    <Select
      size="xs"
      className={classes.steps}
      aria-label={t("stepChoice.step")}
      placeholder={t("stepChoice.allStepsPlaceholder")}
      clearable
      clearButtonProps={{ "aria-label": t("stepChoice.allStepsPlaceholder") }}
      data={steps}
      value={step ?? null}
      nothingFoundMessage={all?.isSearching ? t("stepChoice.loadingLog") : t("stepChoice.noSteps")}
      onDropdownOpen={() => setAsked(true)}
      onChange={(chosen) => onChoose(chosen ?? undefined)}
    />
  );
}

interface LevelChoiceProps {
  level: LevelFilter | undefined;
  onChoose: (level: LevelFilter | undefined) => void;
}

/** Shows only lines that state at least the selected severity. */
function LevelChoice({ level, onChoose }: LevelChoiceProps) {
  return (
    <Select
      size="xs"
      className={classes.steps}
      aria-label={t("levelChoice.level")}
      placeholder={t("levelChoice.allPlaceholder")}
      clearable
      clearButtonProps={{ "aria-label": t("levelChoice.allPlaceholder") }}
      data={levelFilters.map((value) => ({ value, label: t(`levelChoice.${value}`) }))}
      value={level ?? null}
      onChange={(chosen) => onChoose(levelFilters.find((one) => one === chosen))}
    />
  );
}
