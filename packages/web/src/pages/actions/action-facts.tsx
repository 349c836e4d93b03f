import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Action } from "../../api/queries/actions.ts";
import type { components } from "../../api/schema.generated.ts";
import { initiatorText, shortId } from "../../components/run-words.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/actions.ts";
import { StatusMark } from "../../ui/mark/status-mark.tsx";
import { durationText } from "../../ui/time/time-format.ts";
import { TimeText } from "../../ui/time/time-text.tsx";
import classes from "./action-page.module.css";

interface ActionFactsProps {
  team: string;
  action: Action;
  run: components["schemas"]["WorkflowRun"] | undefined;
}

/** Where it belongs, and its terms. */
export function ActionFacts({ team, action, run }: ActionFactsProps) {
  return (
    <dl className={classes.facts}>
      <Fact name={t("actionFacts.run")}>
        <Anchor component={Link} inherit to={paths.run(team, action.workflowRunRef)}>
          {shortId(action.workflowRunRef)}
        </Anchor>{" "}
        {run && <StatusMark status={run.status} phase={run.phase} />}
      </Fact>
      <Fact name={t("actionFacts.workflow")}>
        <Anchor component={Link} inherit to={paths.workflow(team, action.workflowName)}>
          {run?.workflowDisplayName || action.workflowName}
        </Anchor>
      </Fact>
      {run && <Fact name={t("actionFacts.started")}>{initiatorText(run)}</Fact>}
      <Fact name={t("actionFacts.opened")}>
        <TimeText at={action.creationDate} />
      </Fact>
      <Fact name={t("actionFacts.deadline")}>{action.deadline ? <TimeText at={action.deadline} /> : t("actionFacts.none")}</Fact>
      {action.reminder != null && (
        <Fact name={t("actionFacts.reminders")}>
          {t.rich(action.reminderDate ? "actionFacts.everyAndNext" : "actionFacts.every", {
            duration: durationText(action.reminder * 60_000),
            time: () => <TimeText at={action.reminderDate} />,
          })}
        </Fact>
      )}
      <Fact name={t("actionFacts.approvals")}>
        {t("actionFacts.votes", { given: action.numberOfApprovals, required: action.approvalsRequired })}
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt className="quiet">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
