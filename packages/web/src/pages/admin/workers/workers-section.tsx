import { Anchor, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { workersQuery } from "../../../api/queries/settings.ts";
import { HowTo } from "../../../components/how-to/how-to.tsx";
import { curlCommand } from "../../../components/how-to/set-up-command.ts";
import { t } from "../../../texts/settings/administration.ts";
import { PageHeader } from "../../../ui/page-header.tsx";
import { NotLoaded } from "../../../ui/state/not-loaded.tsx";
import { EmptyState } from "../../../ui/state/notice.tsx";
import { ExecutorTable, NeedTable, QueueTeamTable, WorkerTable } from "./worker-tables.tsx";
import { slotsText } from "./worker-words.ts";

const commands = [
  { label: t("workersSection.workersQueue"), command: curlCommand("GET", "/api/v2/system/workers") },
  { label: t("workersSection.executorsProcess"), command: curlCommand("GET", "/health") },
  { label: t("workersSection.prometheusMetrics"), command: curlCommand("GET", "/metrics") },
];

/** What runs the tasks: the processes, their executors and their load, and why queued task runs have to wait. */
export function WorkersSection() {
  const query = useQuery(workersQuery);
  const { data } = query;
  return (
    <>
      <PageHeader title={t("workersSection.workers")} detail={data && slotsText(data.workers)}>
        <HowTo title={t("workersSection.workersApi")} commands={commands} />
      </PageHeader>
      <NotLoaded query={query} label={t("workersSection.loadingWorkers")} />
      {data && (
        <Stack gap="sm" px="md" pb="lg">
          {data.workers.length === 0 ? (
            <EmptyState title={t("workersSection.noWorkerRunning")}>
              <Text className="quiet">{t("workersSection.noTasksRunStart")}</Text>
            </EmptyState>
          ) : (
            <WorkerTable workers={data.workers} />
          )}
          {data.workers.some(({ alive, executors }) => alive && executors.length > 0) && (
            <>
              <Title order={2}>{t("workersSection.executors")}</Title>
              <ExecutorTable workers={data.workers} />
            </>
          )}
          <Title order={2}>{t("workersSection.queue")}</Title>
          {data.queue.waiting === 0 && data.queue.teams.length === 0 ? (
            <Text className="quiet">{t("workersSection.queueEmptyEveryTask")}</Text>
          ) : (
            <>
              <NeedTable queue={data.queue} />
              <QueueTeamTable queue={data.queue} />
            </>
          )}
          <Text size="sm" className="quiet">
            {t.rich("workersSection.refreshesEvery5Seconds", { link: (chunks) => <Anchor href="/metrics">{chunks}</Anchor> })}
          </Text>
        </Stack>
      )}
    </>
  );
}
