import { useQuery } from "@tanstack/react-query";
import { runHeadQuery } from "../../api/queries/run/runs.ts";
import { t } from "../../texts/run/run.ts";
import { TimeText } from "../../ui/time/time-text.tsx";
import classes from "./panel.module.css";
import { Fact, useRunView } from "./run-context.tsx";
import { TaskValues } from "./task-values.tsx";

/** The parameters and results of the run, and its settings. */
export function RunValues() {
  const { team, run: shown } = useRunView();
  // The response with all task runs may leave them out if it would be too large.
  const { data } = useQuery({ ...runHeadQuery(team, shown.id), enabled: shown.truncated === true });
  const run = data ?? shown;
  const labels = Object.entries(run.labels);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keyboard
    <section className={classes.details} tabIndex={0} aria-label={t("runValues.parametersResultsRun")}>
      <TaskValues title={t("runValues.parameters")} values={run.params} none={t("runValues.runHasNoParameters")} />
      <TaskValues title={t("runValues.results")} values={run.results} none={t("runValues.noResults")} />
      <h3>{t("runValues.details")}</h3>
      <dl className={classes.facts}>
        <Fact name={t("runValues.created")}>
          <TimeText at={run.creationDate} isExact />
        </Fact>
        <Fact name={t("runValues.started")}>{run.startTime && <TimeText at={run.startTime} isExact />}</Fact>
        <Fact name={t("runValues.timeout")}>{run.timeout !== undefined && t("runValues.min", { timeout: run.timeout })}</Fact>
        <Fact name={t("runValues.retries")}>{run.retries > 0 && t("runValues.moreRunsAfterFailure", { retries: run.retries })}</Fact>
        <Fact name={t("runValues.workspaces")}>{run.workspaces.map(({ name }) => name).join(", ")}</Fact>
        <Fact name={t("runValues.labels")}>{labels.map(([name, value]) => `${name}=${value}`).join(", ")}</Fact>
        <Fact name="ID">
          <code>{run.id}</code>
        </Fact>
      </dl>
    </section>
  );
}
