import { Box } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ExternalWorker, externalWorkersQuery } from "../../api/queries/task/tasks.ts";
import { t } from "../../texts/task/tasks.ts";
import { numberText } from "../../ui/format.ts";
import { StateMark } from "../../ui/mark/state-mark.tsx";
import { EmptyState } from "../../ui/state/notice.tsx";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";

/** The programs that run an external task: whether one is there, and how much it holds. */
export function WorkersTab({ team, name }: { team: string; name: string }) {
  const query = useQuery(externalWorkersQuery(team, name));
  return (
    <Box px="md" pb="lg" maw={960}>
      <DataTable
        label={t("workersTab.workers")}
        minWidth={560}
        query={query}
        rows={query.data}
        keyOf={({ id }) => id}
        columns={columns}
        empty={
          <EmptyState title={t("workersTab.none")}>
            <p className="quiet">{t("workersTab.startProgram", { name })}</p>
          </EmptyState>
        }
      />
    </Box>
  );
}

const columns: Column<ExternalWorker>[] = [
  { title: t("workersTab.worker"), cell: ({ name }) => name },
  { title: t("workersTab.state"), kind: "short", cell: (worker) => <StateMark {...stateOf(worker)} /> },
  { title: t("workersTab.running"), kind: "number", cell: ({ running }) => numberText(running) },
  { title: t("workersTab.tasks"), cell: ({ tasks }) => tasks.join(", ") },
  { title: t("workersTab.started"), kind: "short", cell: ({ startDate }) => <TimeText at={startDate} /> },
  {
    title: t("workersTab.lastSeen"),
    kind: "short",
    cell: ({ alive, leaseUntilDate }) => (alive ? t("workersTab.now") : <TimeText at={leaseUntilDate} />),
  },
];

/** One that runs as much as it wants to asks for nothing more. */
function stateOf({ alive, asking, running }: ExternalWorker): { tone: "on" | "off"; word: string } {
  if (!alive) return { tone: "off", word: t("workersTab.gone") };
  if (asking) return { tone: "on", word: t("workersTab.asking") };
  return running > 0 ? { tone: "on", word: t("workersTab.busy") } : { tone: "off", word: t("workersTab.idle") };
}
