import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { actionQuery, runOfActionQuery } from "../../api/queries/actions.ts";
import { ActionMark, OverdueMark } from "../../components/actions/action-mark.tsx";
import { starterId } from "../../components/run-words.ts";
import { useParam, useTeam } from "../../hooks/use-team.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/actions.ts";
import { Markdown } from "../../ui/markdown.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { NotLoaded } from "../../ui/state/not-loaded.tsx";
import { ActionFacts } from "./action-facts.tsx";
import { ActionHistory } from "./action-history.tsx";
import classes from "./action-page.module.css";
import { DecidePanel } from "./decide-panel.tsx";
import { RunContext } from "./run-context.tsx";
import { WhoDecides } from "./who-decides.tsx";

/** One action with what there is to know before deciding it: instructions, the run, who decides, and what was decided. */
export function ActionPage() {
  const team = useTeam();
  const id = useParam("action");
  const query = useQuery(actionQuery(team, id));
  const { data: action } = query;
  const run = useQuery({ ...runOfActionQuery(team, action?.workflowRunRef ?? ""), enabled: action !== undefined }).data;
  if (action === undefined) return <NotLoaded query={query} label={t("actionPage.loadingAction")} />;
  return (
    <>
      <PageHeader
        title={action.taskName}
        tab={`${action.taskName} · ${action.workflowName}`}
        state={
          <>
            <ActionMark action={action} />
            <OverdueMark action={action} />
          </>
        }
        detail={
          <>
            {t.rich("actionPage.actionsManualTaskApproval", {
              link: (chunks) => (
                <Anchor component={Link} size="sm" to={paths.actions(team)}>
                  {chunks}
                </Anchor>
              ),
              kind: action.type === "manual" ? "yes" : "no",
              workflowName: action.workflowName,
            })}
          </>
        }
      />
      <div className={classes.page}>
        <div className={classes.main}>
          {action.instructions && (
            <section aria-label={t("actionPage.instructions")} className={classes.instructions}>
              <Markdown text={action.instructions} />
            </section>
          )}
          <DecidePanel team={team} action={action} requester={run && starterId(run)} />
          <RunContext run={run} />
          <ActionHistory action={action} />
        </div>
        <aside className={classes.side} aria-label={t("actionPage.aboutAction")}>
          <ActionFacts team={team} action={action} run={run} />
          <WhoDecides team={team} action={action} requester={run && starterId(run)} />
        </aside>
      </div>
    </>
  );
}
