import { Anchor, Text, Title } from "@mantine/core";
import type { components } from "@millrace/client/schema.generated.ts";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, Suspense } from "react";
import { type Action, actionQuery, decisionQuery, runOfActionQuery } from "../../api/queries/actions.ts";
import { ActionHistory } from "../../components/actions/action-history.tsx";
import { ActionMark, OverdueMark } from "../../components/actions/action-mark.tsx";
import { ActionRequest } from "../../components/actions/action-request.tsx";
import { PageNotLoaded } from "../../components/missing/page-view.tsx";
import { initiatorText, shortId, starterId } from "../../components/run-words.ts";
import { useParam, useTeam } from "../../hooks/use-team.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/actions.ts";
import { StatusMark } from "../../ui/mark/status-mark.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { LoadingState } from "../../ui/state/not-loaded.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import { durationText } from "../../ui/time/time-format.ts";
import { TimeText } from "../../ui/time/time-text.tsx";
import classes from "./action-page.module.css";
import { DecidePanel } from "./decide-panel.tsx";
import { WhoDecides } from "./who-decides.tsx";

const stillLoading = { data: undefined, error: null };

/** One action with everything needed to decide it: the instructions, the run, who can decide, and earlier decisions. */
export function ActionPage() {
  const team = useTeam();
  const id = useParam("action");
  const query = useQuery(actionQuery(team, id));
  const { data: action } = query;
  const runQuery = useQuery({ ...runOfActionQuery(team, action?.workflowRunRef ?? ""), enabled: Boolean(action?.workflowRunRef) });
  const run = runQuery.data;
  // All at once: what comes late would move the buttons away from the pointer.
  if (action === undefined || runQuery.isLoading)
    return (
      <PageNotLoaded
        query={action === undefined ? query : stillLoading}
        label={t("actionPage.loadingAction")}
        sought={{ kind: "action", name: id, team }}
      />
    );
  return (
    <>
      <PageHeader
        title={action.title ?? action.taskName}
        tab={`${action.title ?? action.taskName} · ${action.workflowDisplayName || action.workflowName}`}
        state={
          <>
            <ActionMark action={action} />
            <OverdueMark action={action} />
          </>
        }
        detail={t.rich(detailOf[action.type], {
          link: (chunks) => (
            <Anchor component={Link} size="sm" to={paths.actions(team)}>
              {chunks}
            </Anchor>
          ),
          workflowName: action.workflowDisplayName || action.workflowName,
        })}
      />
      <Suspense fallback={<LoadingState label={t("actionPage.loadingAction")} rows={8} />}>
        <div className={classes.page}>
          <div className={classes.main}>
            {(action.instructions || action.links.length > 0 || (action.attachments ?? []).length > 0) && (
              <section aria-label={t("actionPage.instructions")} className={classes.instructions}>
                <ActionRequest team={team} action={action} />
              </section>
            )}
            <DecidePanel team={team} action={action} requester={run && starterId(run)} />
            <RunContext run={run} />
            <ActionHistory action={action} />
            {action.status !== "submitted" && <DecisionLine team={team} action={action.id} />}
          </div>
          <aside className={classes.side} aria-label={t("actionPage.aboutAction")}>
            <ActionFacts team={team} action={action} run={run} />
            <WhoDecides team={team} action={action} requester={run && starterId(run)} />
          </aside>
        </div>
      </Suspense>
    </>
  );
}

const detailOf = {
  manual: "actionPage.manualTaskOf",
  approval: "actionPage.approvalOf",
  publish: "actionPage.publishingOf",
} as const;

interface ActionFactsProps {
  team: string;
  action: Action;
  run: components["schemas"]["WorkflowRun"] | undefined;
}

/** The run, workflow and task the action belongs to, and its terms such as the deadline. */
function ActionFacts({ team, action, run }: ActionFactsProps) {
  return (
    <dl className={classes.facts}>
      {action.workflowRunRef !== "" && (
        <Fact name={t("actionPage.run")}>
          <Anchor component={Link} inherit to={paths.run(team, action.workflowRunRef)}>
            {shortId(action.workflowRunRef)}
          </Anchor>{" "}
          {run && <StatusMark status={run.status} phase={run.phase} waitKinds={run.waitKinds} />}
        </Fact>
      )}
      {action.title && action.workflowRunRef !== "" && <Fact name={t("actionPage.task")}>{action.taskName}</Fact>}
      <Fact name={t("actionPage.workflow")}>
        <Anchor component={Link} inherit to={paths.workflow(team, action.workflowName)}>
          {action.workflowDisplayName || action.workflowName}
        </Anchor>
      </Fact>
      {action.type === "publish" && (
        <Fact name={t("actionPage.proposals")}>
          <Anchor component={Link} inherit to={paths.workflowConfigure(team, action.workflowName, "protection")}>
            {t("actionPage.showProposals")}
          </Anchor>
        </Fact>
      )}
      {run && <Fact name={t("actionPage.started")}>{initiatorText(run)}</Fact>}
      <Fact name={t("actionPage.opened")}>
        <TimeText at={action.creationDate} />
      </Fact>
      <Fact name={t("actionPage.deadline")}>{action.deadline ? <TimeText at={action.deadline} /> : t("actionPage.none")}</Fact>
      {action.reminder != null && (
        <Fact name={t("actionPage.reminders")}>
          {t.rich(action.reminderDate ? "actionPage.everyAndNext" : "actionPage.every", {
            duration: durationText(action.reminder * 60_000),
            time: () => <TimeText at={action.reminderDate} />,
          })}
        </Fact>
      )}
      {action.escalationDate && action.escalateToName && (
        <Fact name={t("actionPage.escalation")}>
          {t.rich(action.escalated ? "actionPage.escalatedTo" : "actionPage.escalatesTo", {
            group: action.escalateToName,
            time: () => <TimeText at={action.escalationDate} />,
          })}
        </Fact>
      )}
      <Fact name={t("actionPage.approvals")}>
        {t("actionPage.of", { numberOfApprovals: action.numberOfApprovals, approvalsRequired: action.approvalsRequired })}
      </Fact>
    </dl>
  );
}

/** The position of the decision in the team's decision chain (docs/decisions.md). */
function DecisionLine({ team, action }: { team: string; action: string }) {
  const { data } = useQuery(decisionQuery(team, action));
  if (!data) return null;
  return (
    <Text size="sm" className="quiet">
      {t.rich("actionHistory.recorded", {
        number: String(data.number),
        hash: () => <code title={data.hash}>{data.hash.slice(0, 12)}…</code>,
      })}
    </Text>
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

/** The parameters of the run: mostly they are what is being decided. The service never sends the values of secrets here. */
function RunContext({ run }: { run: components["schemas"]["WorkflowRun"] | undefined }) {
  if (run === undefined || run.params.length === 0) return null;
  return (
    <section aria-label={t("actionPage.parametersRun")}>
      <Title order={2} mb={4}>
        {t("actionPage.parametersRun")}
      </Title>
      <DataTable
        label={t("actionPage.values")}
        rows={run.params}
        keyOf={({ name }) => name}
        columns={[
          { title: t("actionPage.parameter"), kind: "name", width: 200, cell: ({ name }) => name },
          {
            title: t("actionPage.value"),
            cell: ({ value }) => <code className={classes.value}>{typeof value === "string" ? value : JSON.stringify(value)}</code>,
          },
        ]}
      />
    </section>
  );
}
