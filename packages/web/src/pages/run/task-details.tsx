import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { TaskRun } from "../../api/queries/task-runs.ts";
import { countItems } from "../../components/run-graph/run-graph-model.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/run.ts";
import { TimeText } from "../../ui/time/time-text.tsx";
import { Fact } from "./fact.tsx";
import classes from "./panel.module.css";
import { useRunView } from "./run-context.ts";
import { RunLink } from "./run-header.tsx";
import { TaskAttempts } from "./task-attempts.tsx";
import { TaskValues } from "./task-values.tsx";

/** What a task run was given, what it gave, and where and how it ran. */
export function TaskDetails({ task }: { task: TaskRun }) {
  const { team } = useRunView();
  const begun = begunRun(task);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={classes.details} tabIndex={0} aria-label={t("taskDetails.details", { name: task.name })}>
      <TaskItems task={task} />
      <TaskValues title={t("taskDetails.results")} values={task.results} none={t("taskDetails.noResults")} />
      <TaskValues title={t("taskDetails.parameters")} values={task.params} none={t("taskDetails.noParameters")} />
      <TaskAttempts task={task} />
      <h3>{t("taskDetails.detailsTitle")}</h3>
      <dl className={classes.facts}>
        <Fact name={t("taskDetails.type")}>{task.type}</Fact>
        <Fact name={t("taskDetails.task")}>
          <TaskLink task={task} />
        </Fact>
        <Fact name={t("taskDetails.started")}>{task.startTime && <TimeText at={task.startTime} isExact />}</Fact>
        <Fact name={t("taskDetails.runStarted")}>{begun !== undefined && <RunLink team={team} id={begun} />}</Fact>
        <Fact name={t("taskDetails.valueSwitch")}>
          {task.decisionValue !== undefined && <code>{JSON.stringify(task.decisionValue)}</code>}
        </Fact>
        <Fact name={t("taskDetails.timeout")}>
          {task.timeout !== undefined && t("taskDetails.minPerAttempt", { timeout: task.timeout })}
        </Fact>
        <Fact name={t("taskDetails.runs")}>{task.runsOn?.join(", ")}</Fact>
        <Fact name={t("taskDetails.executor")}>{task.needs}</Fact>
        <Fact name={t("taskDetails.workspaces")}>{task.workspaces.map(({ name }) => name).join(", ")}</Fact>
        <Fact name="ID">
          <code>{task.id}</code>
        </Fact>
      </dl>
      {(task.warnings ?? []).map(({ reference, why }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one reference may stand in two parameters
        <p key={index} className={classes.warning}>
          <code>{reference}</code>: {why}
        </p>
      ))}
    </section>
  );
}

/** The run that the task submitted, by its result. */
function begunRun({ type, results }: TaskRun): string | undefined {
  const id = type === "runworkflow" ? results.find(({ name }) => name === "workflowRunRef")?.value : undefined;
  return typeof id === "string" && id !== "" ? id : undefined;
}

function TaskLink({ task }: { task: TaskRun }) {
  const { team } = useRunView();
  if (task.taskName === undefined) return t("taskDetails.builtIn");
  const link = (
    <Anchor component={Link} to={paths.teamTask(team, task.taskName)} inherit>
      {task.taskName}
    </Anchor>
  );
  return task.taskVersion === undefined ? link : t.rich("taskDetails.taskVersion", { task: () => link, version: String(task.taskVersion) });
}

/** Of a forEach: the way to its items. */
function TaskItems({ task }: { task: TaskRun }) {
  const { tasks } = useRunView();
  const [, setAddress] = useSearchState({ view: "graph", find: "", status: "" });
  if (task.item !== undefined) return null;
  const counts = countItems(tasks).get(task.name);
  if (counts === undefined) return null;
  return (
    <p className={classes.items}>
      {t.rich("taskDetails.itemsFinishedFailedShow", {
        over: counts.over,
        all: counts.all,
        failed: counts.failed,
        button: (chunks) => (
          <button type="button" className={classes.link} onClick={() => setAddress({ view: "list", find: `${task.name}[`, status: "" })}>
            {chunks}
          </button>
        ),
      })}
    </p>
  );
}
