import { Text } from "@mantine/core";
import { IconCheck, IconCircleCheckFilled, IconCircleXFilled, IconX } from "@tabler/icons-react";
import { ApiError, messageOf } from "../../../api/api-error.ts";
import type { TriggerTest } from "../../../api/queries/trigger-test.ts";
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
        Fix the problems above to test it.
      </Text>
    );
  if (error !== null)
    return (
      <Text size="sm" role="alert" c="var(--status-failed)">
        Can't be tested: {messageOf(error)}
      </Text>
    );
  if (test === undefined)
    return (
      <Text size="sm" className="quiet" role="status">
        Testing…
      </Text>
    );
  const Icon = test.holds ? IconCircleCheckFilled : IconCircleXFilled;
  return (
    <section className={classes.verdict} aria-label="Test result">
      <p className={classes.head} role="status">
        <Icon size={16} aria-hidden className={classes.mark} data-tone={test.holds ? "good" : "bad"} />
        {test.holds ? "Matches" : "Doesn't match"}
        {test.checks.length === 0 && " (no conditions set)"}
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
          {test.holds ? "It would start no run anyway: " : "Also: "} {test.blockers.join(" ")}
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
        <span className="only-heard">{holds ? "Matches: " : "Doesn't match: "}</span>
        {phrase}
        {found !== undefined && <span className="quiet"> – {found}</span>}
      </span>
    </li>
  );
}
