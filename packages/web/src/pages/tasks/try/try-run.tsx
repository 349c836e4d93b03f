import { Anchor, Button, Group, Stack, Text, Title } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { waitForLine } from "../../../api/client.ts";
import { cancelTry, tryLogQuery, tryQuery } from "../../../api/queries/task-catalog.ts";
import { useRenew } from "../../../hooks/use-renew.ts";
import { paths } from "../../../paths.ts";
import { t } from "../../../texts/tasks.ts";
import { StatusMark } from "../../../ui/mark/status-mark.tsx";
import { NotLoaded } from "../../../ui/state/not-loaded.tsx";
import { DataTable } from "../../../ui/table/data-table.tsx";
import classes from "../tasks.module.css";

/** What comes of a try: status in words, results, and the log as it is written. */
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
  const why = task?.statusMessage || data.statusMessage || (isOver ? undefined : task?.waitingFor || data.waitingFor);
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
      {task ? <TryLog taskRun={task.id} isOver={isOver} /> : <Text className="quiet">{t("tryRun.notStartedYet")}</Text>}
    </Stack>
  );
}

function seconds(milliseconds: number): string {
  return milliseconds < 1000 ? t("tryRun.ms", { milliseconds }) : `${(milliseconds / 1000).toFixed(1)} s`;
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

/** As much of the log as one looks at after a try; the page of the run has all of it. */
function TryLog({ taskRun, isOver }: { taskRun: string; isOver: boolean }) {
  const data = useTryLog(taskRun, isOver);
  const lines = data?.lines ?? [];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reached by keyboard
    <pre className={classes.log} tabIndex={0} aria-label={t("tryRun.log")} role="log">
      {lines.length === 0 ? (
        <span className="quiet">{isOver ? t("tryRun.logEmpty") : t("tryRun.waitingFirstLine")}</span>
      ) : (
        lines.map(({ text }) => withoutColours(text)).join("\n")
      )}
      {data?.hasMore && `\n${t("tryRun.more")}`}
    </pre>
  );
}

/** Escape sequences of terminals. */
function withoutColours(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what they begin with
  return line.replace(/\x1b\[[0-9;?]*[A-Za-z]/g, "");
}

/** Lines that come within so long are read together. */
const gatherMs = 400;
/** Where the waiting is cut off, it is looked this often instead. */
const cutMs = 4_000;

/** The log of a try as it grows: read again when the service says that there is more. @param isOver it will not grow any more */
function useTryLog(taskRun: string, isOver: boolean) {
  const { data, refetch } = useQuery(tryLogQuery(taskRun, isOver));
  const count = data === undefined || data.hasMore ? undefined : data.lines.length;
  useEffect(() => {
    if (isOver || count === undefined) return;
    const left = new AbortController();
    const read = async () => ((await refetch()).data?.lines.length ?? 0) > count;
    void follow((signal) => waitForLine(taskRun, count + 1, signal), read, left.signal);
    return () => left.abort();
  }, [taskRun, isOver, count, refetch]);
  return data;
}

/** @param read reads the log again; true: it has grown, and somebody else waits for the next line */
async function follow(wait: (signal: AbortSignal) => Promise<void>, read: () => Promise<boolean>, left: AbortSignal): Promise<void> {
  for (let isCut = true; isCut; ) {
    isCut = await wait(left).then(
      () => false,
      () => true,
    );
    if (left.aborted) return;
    await pause(isCut ? cutMs : gatherMs);
    if (left.aborted || (await read())) return;
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
