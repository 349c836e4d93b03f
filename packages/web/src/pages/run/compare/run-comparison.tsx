import { Checkbox, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Run, runQuery } from "../../../api/queries/run/runs.ts";
import { useSearchState } from "../../../hooks/use-search-state.ts";
import { t } from "../../../texts/run/run-compare.ts";
import { NotLoaded } from "../../../ui/state/not-loaded.tsx";
import { EmptyState } from "../../../ui/state/notice.tsx";
import { useRunView } from "../run-context.tsx";
import classes from "./compare.module.css";
import { compareTasks, compareValues } from "./compare-runs.ts";
import { FactTable, TaskTable, ValueTable } from "./compare-tables.tsx";
import { LogComparison } from "./log-comparison.tsx";
import { OtherRun, useOtherRun } from "./other-run.tsx";

/** Compares this run with another of the same workflow: by default the last successful one, to show what went differently this time. */
export function RunComparison() {
  const { team, run } = useRunView();
  const [{ with: named }, setAddress] = useSearchState({ with: "" });
  const { id, isLooking } = useOtherRun(team, run, String(named));
  const [isWhole, setWhole] = useState(false);
  const query = useQuery({ ...runQuery(team, id ?? ""), enabled: id !== undefined });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keyboard
    <section className={classes.frame} tabIndex={0} aria-label={t("comparison.label")}>
      <Group gap="md" className={classes.tools ?? ""}>
        <OtherRun team={team} run={run} other={id} onChoose={(chosen) => setAddress({ with: chosen })} />
        <Checkbox
          size="xs"
          label={t("comparison.showSame")}
          checked={isWhole}
          onChange={(event) => setWhole(event.currentTarget.checked)}
        />
      </Group>
      {id === undefined ? (
        !isLooking && (
          <EmptyState title={t("comparison.nothingToCompare")}>
            <Text className="quiet">{t("comparison.firstRun")}</Text>
          </EmptyState>
        )
      ) : query.data === undefined ? (
        <NotLoaded query={query} label={t("comparison.loading")} rows={6} />
      ) : (
        <Compared run={run} other={query.data} isWhole={isWhole} />
      )}
    </section>
  );
}

function Compared({ run, other, isWhole }: { run: Run; other: Run; isWhole: boolean }) {
  const { team } = useRunView();
  const hidden = t("comparison.hiddenSecret");
  const tasks = compareTasks(run.tasks ?? [], other.tasks ?? []);
  return (
    <>
      <FactTable team={team} run={run} other={other} />
      <TaskTable tasks={tasks} isWhole={isWhole} />
      <LogComparison tasks={tasks} />
      <ValueTable title={t("comparison.parameters")} values={compareValues(run.params, other.params, hidden)} isWhole={isWhole} />
      <ValueTable title={t("comparison.results")} values={compareValues(run.results, other.results, hidden)} isWhole={isWhole} />
      {(run.truncated || other.truncated) && <Text className="quiet">{t("comparison.truncated")}</Text>}
    </>
  );
}
