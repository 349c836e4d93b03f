import { Text } from "@mantine/core";
import { IconAlertTriangle, IconPlayerPlay, IconRecycle, IconUserCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useMemo } from "react";
import type { RerunPlan, RerunPlanTask } from "../../../api/queries/run/reruns.ts";
import { workflowQuery } from "../../../api/queries/workflow/workflows.ts";
import { t } from "../../../texts/run/rerun.ts";
import { Fold } from "../../../ui/fold.tsx";
import classes from "./rerun.module.css";

const RunCanvas = lazy(() => import("../../../components/run-graph/run-canvas.tsx").then((module) => ({ default: module.RunCanvas })));

interface ShownPlanProps {
  team: string;
  /** Id. */
  workflow: string;
  plan: RerunPlan;
}

/** What a rerun will do with each task and why, as a list and on the graph. */
export function ShownPlan({ team, workflow, plan }: ShownPlanProps) {
  const { tasks, unmapped, again, reused } = plan;
  return (
    <>
      <Text fw={500} role="status">
        {t("rerunPlan.summary", { again, reused })}
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keyboard */}
      <section className={classes.plan} tabIndex={0} aria-label={t("rerunPlan.list")}>
        <ul>
          {tasks.map((task) => (
            <PlanLine key={task.task} {...task} />
          ))}
          {unmapped.map(({ task, text }) => (
            <PlanLine key={`unmapped ${task}`} task={task} text={text} decision="unmapped" />
          ))}
        </ul>
      </section>
      <Fold title={t("rerunPlan.showGraph")}>
        <PlanGraph team={team} workflow={workflow} plan={plan} />
      </Fold>
    </>
  );
}

const looks = {
  reused: { icon: IconRecycle, word: t("rerunPlan.reused") },
  again: { icon: IconPlayerPlay, word: t("rerunPlan.again") },
  marked: { icon: IconUserCheck, word: t("rerunPlan.marked") },
  unmapped: { icon: IconAlertTriangle, word: t("rerunPlan.unmapped") },
};

interface PlanLineProps {
  task: string;
  text: string;
  decision: keyof typeof looks;
  reusesItems?: RerunPlanTask["reusesItems"];
}

function PlanLine({ task, text, decision, reusesItems }: PlanLineProps) {
  const { icon: Icon, word } = looks[decision];
  return (
    <li className={classes.line} data-decision={decision}>
      <span>{task}</span>
      <span className={classes.word}>
        <Icon size={14} aria-hidden /> {word}
      </span>
      <span className="quiet">
        {text}
        {reusesItems !== undefined && `; ${t("rerunPlan.items", { count: reusesItems })}`}
      </span>
    </li>
  );
}

function PlanGraph({ team, workflow, plan }: ShownPlanProps) {
  const { data } = useQuery({ ...workflowQuery(team, workflow, plan.version), staleTime: Number.POSITIVE_INFINITY });
  const planned = useMemo(() => new Map(plan.tasks.map(({ task, decision }) => [task, decision])), [plan]);
  if (data === undefined) return null;
  return (
    <div className={classes.graph}>
      <Suspense>
        <RunCanvas workflow={data.data.tasks ?? []} tasks={noTasks} planned={planned} chosen={undefined} onChoose={nothing} />
      </Suspense>
    </div>
  );
}

const noTasks: [] = [];
const nothing = () => undefined;
