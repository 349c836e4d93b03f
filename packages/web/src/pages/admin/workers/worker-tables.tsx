import { Badge, Group, Progress, Text } from "@mantine/core";
import type { Worker, Workers } from "../../../api/queries/settings.ts";
import { paths } from "../../../paths.ts";
import { t } from "../../../texts/settings/administration.ts";
import { numberText } from "../../../ui/format.ts";
import { StateMark } from "../../../ui/mark/state-mark.tsx";
import { type Column, DataTable } from "../../../ui/table/data-table.tsx";
import { RowLink } from "../../../ui/table/scroll-box.tsx";
import { TimeText } from "../../../ui/time/time-text.tsx";
import { type ExecutorLine, executorLines } from "./worker-words.ts";

const nothing = <span className="quiet">–</span>;

/** One row per process: whether it is alive, what it can run, and how many slots are in use. */
export function WorkerTable({ workers }: { workers: readonly Worker[] }) {
  return <DataTable label={t("workerTables.workers")} minWidth={840} columns={workerColumns} rows={workers} keyOf={({ id }) => id} />;
}

const workerColumns: Column<Worker>[] = [
  { title: t("workerTables.worker"), kind: "short", cell: (worker) => <WorkerName worker={worker} /> },
  {
    title: t("workerTables.state"),
    kind: "short",
    cell: ({ alive }) => (
      <StateMark {...(alive ? { tone: "on", word: t("workerTables.online") } : { tone: "off", word: t("workerTables.offline") })} />
    ),
  },
  {
    title: t("workerTables.slotsUse"),
    kind: "short",
    cell: ({ alive, busySlots, slots, host }) => {
      if (alive) return <Slots busy={busySlots} all={slots} of={host} />;
      return busySlots > 0 ? <span className="quiet">{t("workerTables.retried", { busySlots })}</span> : nothing;
    },
  },
  { title: t("workerTables.executors"), kind: "short", cell: ({ executors }) => <Executors executors={executors} /> },
  { title: t("workerTables.labels"), cell: ({ labels }) => (labels.length > 0 ? labels.join(", ") : nothing) },
  { title: t("workerTables.started"), kind: "short", cell: ({ startDate }) => <TimeText at={startDate} /> },
  {
    title: t("workerTables.lastSeen"),
    kind: "short",
    cell: ({ alive, leaseUntilDate }) => (alive ? t("workerTables.now") : <TimeText at={leaseUntilDate} />),
  },
];

function WorkerName({ worker: { host, pid, answering, roles } }: { worker: Worker }) {
  return (
    <>
      <Text span size="sm" fw={500}>
        {host}
      </Text>{" "}
      <Text span size="sm" className="quiet">
        {t("workerTables.process", { pid: String(pid) })}
      </Text>
      {answering && (
        <Badge
          size="sm"
          fz={12}
          miw="max-content"
          variant="default"
          ml="xs"
          tt="none"
          fw={400}
          title={t("workerTables.roles", { roles: roles.join(", ") })}
        >
          {t("workerTables.server")}
        </Badge>
      )}
    </>
  );
}

function Executors({ executors }: Pick<Worker, "executors">) {
  if (executors.length === 0) return <span className="quiet">{t("workerTables.none")}</span>;
  const word = ({ kind, available, fault }: Worker["executors"][number]) =>
    available ? kind : fault ? t("workerTables.off", { kind, fault }) : t("workerTables.off2", { kind });
  return (
    <Group gap="sm" wrap="nowrap">
      {executors.map((executor) => (
        <StateMark key={executor.kind} tone={executor.available ? "on" : "off"} word={word(executor)} />
      ))}
    </Group>
  );
}

function Slots({ busy, all, of }: { busy: number; all: number; of: string }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <Progress value={all === 0 ? 0 : (100 * busy) / all} w={64} size="sm" aria-label={t("workerTables.slotsUse2", { of })} />
      <span>{t("workerTables.of", { busy, all })}</span>
    </Group>
  );
}

/** Each kind of executor: whether and where it is on, how it isolates steps, and why it is off. */
export function ExecutorTable({ workers }: { workers: readonly Worker[] }) {
  return (
    <DataTable
      label={t("workerTables.executors")}
      minWidth={720}
      columns={executorColumns}
      rows={executorLines(workers)}
      keyOf={({ kind }) => kind}
    />
  );
}

const executorColumns: Column<ExecutorLine>[] = [
  { title: t("workerTables.executor"), cell: ({ kind }) => <code>{kind}</code> },
  {
    title: t("workerTables.state"),
    kind: "short",
    cell: ({ on, off }) => (
      <>
        <StateMark {...stateOf(on.length, off.length)} />
        {off.length > 0 && on.length > 0 && (
          <Text span size="sm" className="quiet" ml="xs">
            {off.join(", ")}
          </Text>
        )}
      </>
    ),
  },
  { title: t("workerTables.isolation"), kind: "short", cell: ({ isolation }) => isolation ?? nothing },
  { title: t("workerTables.details"), cell: ({ says }) => says },
];

function stateOf(on: number, off: number): { tone: "on" | "off" | "wait"; word: string } {
  if (off === 0) return { tone: "on", word: t("workerTables.on") };
  return on === 0
    ? { tone: "off", word: t("workerTables.offWord") }
    : { tone: "wait", word: t("workerTables.off3", { off, on: on + off }) };
}

/** Task runs that no worker has claimed, by their need, with the reason in words. */
export function NeedTable({ queue }: { queue: Workers["queue"] }) {
  const columns: Column<Workers["queue"]["needs"][number]>[] = [
    {
      title: t("workerTables.requirements"),
      cell: ({ executor, labels }) =>
        `${executor === "image" ? "container or kubernetes" : executor}${labels.length > 0 ? `, labels ${labels.join(", ")}` : ""}`,
    },
    {
      title: queue.isMore ? t("workerTables.taskRunsMoreThan") : t("workerTables.taskRuns"),
      kind: "number",
      cell: ({ waiting }) => numberText(waiting),
    },
    { title: t("workerTables.waitingSince"), kind: "short", cell: ({ oldestDate }) => <TimeText at={oldestDate} /> },
    { title: t("workerTables.reason"), cell: ({ why }) => why },
  ];
  return (
    <DataTable
      label={t("workerTables.waitingTaskRunsRequirement")}
      minWidth={720}
      columns={columns}
      rows={queue.needs}
      keyOf={({ executor, labels }) => `${executor} ${labels.join(",")}`}
      empty={null}
    />
  );
}

/** The teams with waiting task runs or runs: shows who has to wait, and who fills the queue. */
export function QueueTeamTable({ queue }: { queue: Workers["queue"] }) {
  return (
    <DataTable label={t("workerTables.queueTeam")} minWidth={720} columns={queueTeamColumns} rows={queue.teams} keyOf={({ id }) => id} />
  );
}

const queueTeamColumns: Column<Workers["queue"]["teams"][number]>[] = [
  { title: t("workerTables.team"), cell: ({ name, displayName }) => <RowLink to={paths.activity(name)}>{displayName || name}</RowLink> },
  { title: t("workerTables.taskRunsWaitingWorker"), kind: "number", cell: ({ waiting }) => numberText(waiting) },
  { title: t("workerTables.waitingSince"), kind: "short", cell: ({ oldestDate }) => <TimeText at={oldestDate} /> },
  { title: t("workerTables.runsWaitingQuotaEngine"), kind: "number", cell: ({ queuedRuns }) => numberText(queuedRuns) },
];
