import { Select, Text } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { comparedLogLines, logEndQuery } from "../../../api/queries/run/task-runs.ts";
import type { TaskRun } from "../../../api/queries/task/task-catalog.ts";
import { withoutColours } from "../../../components/log/short-log.tsx";
import { useSearchState } from "../../../hooks/use-search-state.ts";
import { t } from "../../../texts/run/run-compare.ts";
import { TextDiff } from "../../../ui/code/code-editor.tsx";
import { NotLoaded } from "../../../ui/state/not-loaded.tsx";
import { type ComparedTask, withTwoLogs } from "./compare-runs.ts";

/** What a task wrote in both runs, beside each other; the first choice is what went otherwise. */
export function LogComparison({ tasks }: { tasks: readonly ComparedTask[] }) {
  const [{ of }, setAddress] = useSearchState({ of: "" });
  const compared = withTwoLogs(tasks);
  const chosen = compared.find(({ name }) => name === of) ?? compared[0];
  return (
    <>
      <h3>{t("logs.title")}</h3>
      {chosen === undefined ? (
        <p className="quiet">{t("logs.none")}</p>
      ) : (
        <>
          <Select
            size="xs"
            w={380}
            maw="100%"
            mb="xs"
            label={t("logs.task")}
            data={compared.map(({ name }) => name)}
            value={chosen.name}
            allowDeselect={false}
            onChange={(name) => name !== null && setAddress({ of: name })}
          />
          <TwoLogs name={chosen.name} mine={chosen.thisTask} other={chosen.otherTask} />
        </>
      )}
    </>
  );
}

function TwoLogs({ name, mine, other }: { name: string; mine: TaskRun; other: TaskRun }) {
  const queries = useQueries({ queries: [logEndQuery(mine.id, mine.status), logEndQuery(other.id, other.status)] });
  const [here, there] = queries;
  const unread = queries.find(({ data }) => data === undefined);
  if (unread || here.data === undefined || there.data === undefined)
    return <NotLoaded query={unread ?? here} label={t("logs.loading")} rows={4} />;
  const [after, before] = [here.data, there.data].map(({ lines }) => lines.map(({ text }) => withoutColours(text)).join("\n")) as [
    string,
    string,
  ];
  if (after === before) return <p className="quiet">{t(after === "" ? "logs.sameEmpty" : "logs.same")}</p>;
  return (
    <>
      <Text size="sm" className="quiet">
        {t("logs.legend")} {(here.data.hasMore || there.data.hasMore) && t("logs.onlyEnd", { count: comparedLogLines })}
      </Text>
      <TextDiff label={t("logs.both", { task: name })} before={before} after={after} />
    </>
  );
}
