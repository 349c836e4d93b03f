import { Anchor, Switch, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { teamQuery } from "../../api/queries/identity/session.ts";
import type { WorkflowOverview } from "../../api/queries/workflow/workflow-overview.ts";
import type { Workflow } from "../../api/queries/workflow/workflows.ts";
import { expectedWords } from "../../components/expected-words.ts";
import { triggerKinds, triggerLooks } from "../../components/workflow-icon.tsx";
import { useRights } from "../../hooks/use-caller.ts";
import { useTriggerChange } from "../../hooks/use-trigger-change.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/workflow/workflow-overview.ts";
import { StateMark } from "../../ui/mark/state-mark.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import classes from "./overview.module.css";

interface FactsProps {
  team: string;
  workflow: Workflow;
  overview: WorkflowOverview;
  /** Why the triggers can't be turned on and off at the moment. */
  whyNot: string | undefined;
}

/** What the workflow is, what starts it, and when it runs next. */
export function OverviewFacts({ team, workflow, overview, whyNot }: FactsProps) {
  const { description, labels, status } = workflow;
  const { data: about } = useQuery(teamQuery(team));
  const owner = labels?.["owner"];
  const shownLabels = Object.entries(labels ?? {}).filter(([key]) => key !== "owner");
  return (
    <>
      <section aria-label={t("facts.about")}>
        <Title order={2}>{t("facts.about")}</Title>
        <Text size="sm" className={description ? undefined : "quiet"}>
          {description || t("facts.noDescription")}
        </Text>
        <dl className={classes.facts}>
          <dt>{t("facts.status")}</dt>
          <dd>
            {status === "active" ? <StateMark tone="on" word={t("facts.active")} /> : <StateMark tone="rest" word={t("facts.inactive")} />}
          </dd>
          <dt>{t("facts.owner")}</dt>
          <dd>{owner ?? t("facts.team", { team: about?.displayName || team })}</dd>
          <dt>{t("facts.expected")}</dt>
          <dd>{expectedWords(overview.usual) || "–"}</dd>
          {shownLabels.length > 0 && (
            <>
              <dt>{t("facts.labels")}</dt>
              <dd>{shownLabels.map(([key, value]) => `${key}=${value}`).join(", ")}</dd>
            </>
          )}
        </dl>
      </section>
      <Triggers team={team} workflow={workflow} whyNot={whyNot} />
      <section aria-label={t("facts.nextRuns")}>
        <Title order={2}>{t("facts.nextRuns")}</Title>
        {overview.nextTimes.length === 0 && (
          <Text size="sm" className="quiet">
            {t("facts.noNextRuns")}
          </Text>
        )}
        <ul className={classes.list}>
          {overview.nextTimes.map(({ scheduleRef, name, date }) => (
            <li key={scheduleRef}>
              <span>{name}</span> <TimeText at={date} />
            </li>
          ))}
        </ul>
        <Anchor component={Link} to={paths.schedules(team)} size="sm">
          {t("facts.schedules")}
        </Anchor>
      </section>
    </>
  );
}

/** The triggers of the workflow, with switches to turn them on and off. */
function Triggers({ team, workflow, whyNot }: Omit<FactsProps, "overview">) {
  const rights = useRights(team);
  const toggle = useTriggerChange(team, workflow.name);
  const reason = rights.whyNot("workflow/write") ?? whyNot;
  return (
    <section aria-label={t("facts.triggers")}>
      <Title order={2}>{t("facts.triggers")}</Title>
      <div className={classes.triggers}>
        {triggerKinds.map((kind) => (
          <Switch
            key={kind}
            size="xs"
            label={triggerLooks[kind].word}
            checked={workflow.triggers?.[kind]?.enabled ?? false}
            disabled={reason !== undefined || toggle.isPending}
            title={reason}
            aria-description={reason}
            onChange={(event) => toggle.mutate({ kind, word: triggerLooks[kind].word, isOn: event.currentTarget.checked })}
          />
        ))}
      </div>
      <Anchor component={Link} to={paths.workflowConfigure(team, workflow.name, "triggers")} size="sm">
        {t("facts.configure")}
      </Anchor>
    </section>
  );
}
