import { Anchor, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { workersQuery } from "../../../api/queries/workers.ts";
import { HowTo } from "../../../components/how-to/how-to.tsx";
import { curlCommand } from "../../../components/how-to/set-up-command.ts";
import { PageHeader } from "../../../ui/page-header.tsx";
import { EmptyState } from "../../../ui/state/empty-state.tsx";
import { NotLoaded } from "../../../ui/state/not-loaded.tsx";
import { ExecutorTable, NeedTable, QueueTeamTable, WorkerTable } from "./worker-tables.tsx";
import { slotsText } from "./worker-words.ts";

const commands = [
  { label: "Workers and queue", command: curlCommand("GET", "/api/v2/system/workers") },
  { label: "Executors of one process", command: curlCommand("GET", "/health") },
  { label: "Prometheus metrics", command: curlCommand("GET", "/metrics") },
];

/** What runs the tasks: which processes, with which executors, how full, and why what waits has to wait. */
export function WorkersSection() {
  const query = useQuery(workersQuery);
  const { data } = query;
  return (
    <>
      <PageHeader title="Workers" detail={data && slotsText(data.workers)}>
        <HowTo title="Workers by the API" commands={commands} />
      </PageHeader>
      <NotLoaded query={query} label="Loading workers" />
      {data && (
        <Stack gap="sm" px="md" pb="lg">
          {data.workers.length === 0 ? (
            <EmptyState title="No worker is running">
              <Text className="quiet">No tasks can run. Start a process whose MILLRACE_ROLES includes worker (the default).</Text>
            </EmptyState>
          ) : (
            <WorkerTable workers={data.workers} />
          )}
          {data.workers.some(({ alive, executors }) => alive && executors.length > 0) && (
            <>
              <Title order={2}>Executors</Title>
              <ExecutorTable workers={data.workers} />
            </>
          )}
          <Title order={2}>Queue</Title>
          {data.queue.waiting === 0 && data.queue.teams.length === 0 ? (
            <Text className="quiet">The queue is empty: every task run that is ready has a slot.</Text>
          ) : (
            <>
              <NeedTable queue={data.queue} />
              <QueueTeamTable queue={data.queue} />
            </>
          )}
          <Text size="sm" className="quiet">
            Refreshes every 5 seconds. Historical metrics: <Anchor href="/metrics">/metrics</Anchor>.
          </Text>
        </Stack>
      )}
    </>
  );
}
