import { Text } from "@mantine/core";
import { IconCheck, IconCircleCheckFilled, IconCircleXFilled, IconX } from "@tabler/icons-react";
import { ApiError, messageOf } from "../../../api/api-error.ts";
import type { TriggerTest } from "../../../api/queries/trigger-test.ts";
import { t } from "../../../texts/triggers.ts";
import type { Trigger } from "../triggers/trigger-draft.ts";
import classes from "./trigger-verdict.module.css";
import { type VerdictLine, verdictLines } from "./verdict-lines.ts";

interface TriggerVerdictProps {
  trigger: Trigger;
  test: TriggerTest | undefined;
  error: unknown;
}

/** Whether what is tried fits the trigger as it is typed, and which conditions keep it from that. */
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

/** The service can't read the conditions or filters: that is told where they stand. */
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
