import { Anchor, Button, Group, Stack, Text, Title } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { cancelTry, tryQuery } from "../../../api/queries/task/task-catalog.ts";
import { ShortLog } from "../../../components/log/short-log.tsx";
import { useRenew } from "../../../hooks/use-renew.ts";
import { paths } from "../../../paths.ts";
import { sentenceOf } from "../../../texts/language.ts";
import { t } from "../../../texts/task/tasks.ts";
import { decimalText } from "../../../ui/format.ts";
import { StatusMark } from "../../../ui/mark/status-mark.tsx";
import { NotLoaded } from "../../../ui/state/not-loaded.tsx";
import { DataTable } from "../../../ui/table/data-table.tsx";
import classes from "../tasks.module.css";

/** The outcome of a try: its status in words, results, and the live log. */
export function TryRun({ team, run }: { team: string; run: string }) {
  const { data, error } = useQuery(tryQuery(team, run));
  const renew = useRenew();
  const cancel = useMutation({
    mutationFn: () => cancelTry(team, run),
    onSettled: () => renew(["run"], team, run),
  });
  if (data === undefined) return <NotLoaded query={{ data, error }} label={t("tryRun.loadingRun")} rows={3} />;
  const task = data.tasks?.find(({ type }) => type !== "start" && type !== "end");
  const isOver = data.phase === "completed" || data.phase === "finalized";
  const waits = isOver ? undefined : task?.waitingFor || data.waitingFor;
  const why = sentenceOf(task?.statusMessage || data.statusMessage || waits || "");
  return (
    <Stack gap="sm" className={classes.beside}>
      <Group justify="space-between">
        <Group gap="sm" role="status" aria-label={t("tryRun.testStatus")}>
          <StatusMark status={task && !isOver ? task.status : data.status} phase={data.phase} />
          {isOver && <span className="quiet">{seconds(data.duration)}</span>}
        </Group>
        <Group gap="xs">
          {!isOver && (
            <Button size="xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
              {t("tryRun.cancel")}
            </Button>
          )}
          <Anchor component={Link} to={paths.run(team, run)} size="sm">
            {t("tryRun.openRun")}
          </Anchor>
        </Group>
      </Group>
      {why && <Text c={isOver && data.status !== "succeeded" ? "var(--status-failed)" : undefined}>{why}</Text>}
      {(task?.results?.length ?? 0) > 0 && <Results results={task?.results ?? []} />}
      <Title order={2}>{t("tryRun.log")}</Title>
      {task ? <ShortLog taskRun={task.id} isOver={isOver} /> : <Text className="quiet">{t("tryRun.notStartedYet")}</Text>}
    </Stack>
  );
}

function seconds(milliseconds: number): string {
  return milliseconds < 1000 ? t("tryRun.ms", { milliseconds }) : `${decimalText(milliseconds / 1000, 1)} s`;
}

function Results({ results }: { results: readonly { name: string; value?: unknown }[] }) {
  return (
    <>
      <Title order={2}>{t("tryRun.results")}</Title>
      <DataTable
        label={t("tryRun.results")}
        rows={results}
        keyOf={({ name }) => name}
        columns={[
          { title: t("tryRun.name"), kind: "name", width: 160, cell: ({ name }) => name },
          {
            title: t("tryRun.value"),
            cell: ({ value }) => <pre className={classes.value}>{typeof value === "string" ? value : JSON.stringify(value, null, 2)}</pre>,
          },
        ]}
      />
    </>
  );
}
