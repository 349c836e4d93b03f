import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { TaskRun } from "../../api/queries/task-runs.ts";
import { countItems } from "../../components/run-graph/run-graph-model.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { paths } from "../../paths.ts";
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
    <section className={classes.details} tabIndex={0} aria-label={`Details of ${task.name}`}>
      <TaskItems task={task} />
      <TaskValues title="Results" values={task.results} none="No results." />
      <TaskValues title="Parameters" values={task.params} none="No parameters." />
      <TaskAttempts task={task} />
      <h3>Details</h3>
      <dl className={classes.facts}>
        <Fact name="Type">{task.type}</Fact>
        <Fact name="Task">
          <TaskLink task={task} />
        </Fact>
        <Fact name="Started">{task.startTime && <TimeText at={task.startTime} isExact />}</Fact>
        <Fact name="Run that it started">{begun !== undefined && <RunLink team={team} id={begun} />}</Fact>
        <Fact name="Value of the switch">{task.decisionValue !== undefined && <code>{JSON.stringify(task.decisionValue)}</code>}</Fact>
        <Fact name="Timeout">{task.timeout !== undefined && `${task.timeout} min per attempt`}</Fact>
        <Fact name="Runs on">{task.runsOn?.join(", ")}</Fact>
        <Fact name="Executor">{task.needs}</Fact>
        <Fact name="Workspaces">{task.workspaces.map(({ name }) => name).join(", ")}</Fact>
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
  if (task.taskName === undefined) return "built in";
  return (
    <>
      <Anchor component={Link} to={paths.teamTask(team, task.taskName)} inherit>
        {task.taskName}
      </Anchor>
      {task.taskVersion !== undefined && `, version ${task.taskVersion}`}
    </>
  );
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
      {counts.over.toLocaleString("en")} of {counts.all.toLocaleString("en")} items finished, {counts.failed.toLocaleString("en")} failed.{" "}
      <button type="button" className={classes.link} onClick={() => setAddress({ view: "list", find: `${task.name}[`, status: "" })}>
        Show items
      </button>
    </p>
  );
}
