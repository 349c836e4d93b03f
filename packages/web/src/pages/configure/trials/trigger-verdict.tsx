import { Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { ApiError } from "@millrace/client/api-error.ts";
import { IconCheck, IconCircleCheckFilled, IconCircleXFilled, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { messageOf } from "../../../api/api-error.ts";
import { type TriggerTest, type TriggerTestRequest, triggerTestQuery } from "../../../api/queries/workflow/workflows.ts";
import { t } from "../../../texts/workflow/triggers.ts";
import type { Trigger } from "../triggers/trigger-draft.ts";
import type { TrialProps } from "./manual-trial.tsx";
import classes from "./trigger-verdict.module.css";
import { type VerdictLine, verdictLines } from "./verdict-lines.ts";

interface TriggerVerdictProps {
  trigger: Trigger;
  test: TriggerTest | undefined;
  error: unknown;
}

/** Whether the test input matches the trigger as currently edited, and which conditions don't match. */
export function TriggerVerdict({ trigger, test, error }: TriggerVerdictProps) {
  if (isOfRules(error))
    return (
      <Text size="sm" className="quiet" role="status">
        {t("triggerVerdict.fixProblemsAboveTest")}
      </Text>
    );
  if (error !== null)
    return (
      <Text size="sm" role="alert" c="var(--status-failed)">
        {t("triggerVerdict.cantTested", { message: messageOf(error) })}
      </Text>
    );
  if (test === undefined)
    return (
      <Text size="sm" className="quiet" role="status">
        {t("triggerVerdict.testing")}
      </Text>
    );
  const Icon = test.holds ? IconCircleCheckFilled : IconCircleXFilled;
  return (
    <section className={classes.verdict} aria-label={t("triggerVerdict.testResult")}>
      <p className={classes.head} role="status">
        <Icon size={16} aria-hidden className={classes.mark} data-tone={test.holds ? "good" : "bad"} />
        {test.holds ? t("triggerVerdict.matches") : t("triggerVerdict.doesntMatch")}
        {test.checks.length === 0 && ` ${t("triggerVerdict.noConditionsSet")}`}
      </p>
      {test.checks.length > 0 && (
        <ul className={classes.lines}>
          {verdictLines(trigger, test).map((line) => (
            <Line key={line.path} line={line} />
          ))}
        </ul>
      )}
      {test.blockers.length > 0 && (
        <p className={classes.blockers}>
          {t(test.holds ? "triggerVerdict.blocked" : "triggerVerdict.also", { why: test.blockers.join(" ") })}
        </p>
      )}
    </section>
  );
}

/** Whether the service could not parse the conditions or filters. Such errors are shown at their fields. */
function isOfRules(error: unknown): boolean {
  return error instanceof ApiError && error.errors.length > 0 && error.errors.every(({ path }) => /^\/?trigger\//.test(path));
}

function Line({ line: { depth, holds, phrase, found } }: { line: VerdictLine }) {
  const Icon = holds ? IconCheck : IconX;
  return (
    <li className={classes.line} data-depth={Math.min(depth, 4)}>
      <Icon size={14} aria-hidden className={classes.mark} data-tone={depth > 0 ? "inner" : holds ? "good" : "bad"} />
      <span>
        <span className="only-heard">{holds ? t("triggerVerdict.lineMatches") : t("triggerVerdict.lineDoesntMatch")} </span>
        {phrase}
        {found !== undefined && <span className="quiet"> – {found}</span>}
      </span>
    </li>
  );
}

/** Whether the content of the editor matches the trigger as currently edited, before it is sent. */
export function TriggerFit({ team, workflow, trigger, tried }: Omit<TrialProps, "whyNot"> & { trigger: Trigger; tried: Tried }) {
  const { test, error, trigger: tested } = useTriggerTest(team, workflow.name, trigger, tried);
  return tried === undefined ? null : <TriggerVerdict trigger={tested} test={test} error={error} />;
}

/** The test input; undefined while there is none. */
export type Tried = Omit<TriggerTestRequest, "trigger"> | undefined;

/** Checks the test input against the trigger as currently edited, shortly after the last change of either. Starts nothing. */
export function useTriggerTest(team: string, workflow: string, trigger: Trigger, tried: Tried) {
  const text = JSON.stringify(tried && { ...tried, trigger });
  const [settled] = useDebouncedValue(text, 300);
  const request = useMemo((): TriggerTestRequest => (settled === undefined ? { kind: "event" } : JSON.parse(settled)), [settled]);
  const { data, error, isFetching } = useQuery({ ...triggerTestQuery(team, workflow, request), enabled: settled !== undefined });
  return {
    /** The trigger that was checked. */
    trigger: request.trigger ?? trigger,
    test: tried === undefined ? undefined : data,
    error: isFetching ? null : error,
    /** Whether the result belongs to the current input. */
    isSettled: settled === text && !isFetching && data !== undefined && error === null,
  };
}
