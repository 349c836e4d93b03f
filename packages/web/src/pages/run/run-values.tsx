import { useQuery } from "@tanstack/react-query";
import { runHeadQuery } from "../../api/queries/runs.ts";
import { TimeText } from "../../ui/time/time-text.tsx";
import { Fact } from "./fact.tsx";
import classes from "./panel.module.css";
import { useRunView } from "./run-context.ts";
import { TaskValues } from "./task-values.tsx";

/** What the run was given and what it gave, and how it is set up. */
export function RunValues() {
  const { team, run: shown } = useRunView();
  // The answer with all task runs may leave them out, where it would be too large.
  const { data } = useQuery({ ...runHeadQuery(team, shown.id), enabled: shown.truncated === true });
  const run = data ?? shown;
  const labels = Object.entries(run.labels);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={classes.details} tabIndex={0} aria-label="Parameters and results of the run">
      <TaskValues title="Parameters" values={run.params} none="The run has no parameters." />
      <TaskValues title="Results" values={run.results} none="No results." />
      <h3>Details</h3>
      <dl className={classes.facts}>
        <Fact name="Created">
          <TimeText at={run.creationDate} isExact />
        </Fact>
        <Fact name="Started">{run.startTime && <TimeText at={run.startTime} isExact />}</Fact>
        <Fact name="Timeout">{run.timeout !== undefined && `${run.timeout} min`}</Fact>
        <Fact name="Retries">{run.retries > 0 && `${run.retries} more runs after a failure`}</Fact>
        <Fact name="Workspaces">{run.workspaces.map(({ name }) => name).join(", ")}</Fact>
        <Fact name="Labels">{labels.map(([name, value]) => `${name}=${value}`).join(", ")}</Fact>
        <Fact name="ID">
          <code>{run.id}</code>
        </Fact>
      </dl>
    </section>
  );
}
