import { Badge, Group, Progress, Table, Text } from "@mantine/core";
import type { Worker } from "../../../api/queries/workers.ts";
import { t } from "../../../texts/administration.ts";
import { StateMark } from "../../../ui/mark/state-mark.tsx";
import { TimeText } from "../../../ui/time/time-text.tsx";
import classes from "../admin.module.css";

/** One process a line: whether it lives, what it can run, and how full it is. */
export function WorkerTable({ workers }: { workers: readonly Worker[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by keyboard
    <section className={classes.box} tabIndex={0} aria-label={t("workerTable.workers")}>
      <Table horizontalSpacing="sm" verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("workerTable.worker")}</Table.Th>
            <Table.Th>{t("workerTable.state")}</Table.Th>
            <Table.Th>{t("workerTable.slotsUse")}</Table.Th>
            <Table.Th>{t("workerTable.executors")}</Table.Th>
            <Table.Th>{t("workerTable.labels")}</Table.Th>
            <Table.Th>{t("workerTable.started")}</Table.Th>
            <Table.Th>{t("workerTable.lastSeen")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {workers.map((worker) => (
            <WorkerRow key={worker.id} worker={worker} />
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

function WorkerRow({ worker }: { worker: Worker }) {
  const { host, pid, alive, answering, busySlots, slots, executors, labels, startDate, leaseUntilDate, roles } = worker;
  return (
    <Table.Tr>
      <Table.Td>
        <Text span size="sm" fw={500}>
          {host}
        </Text>{" "}
        <Text span size="sm" className="quiet">
          {t("workerTable.process", { pid })}
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
            title={t("workerTable.roles", { roles: roles.join(", ") })}
          >
            {t("workerTable.server")}
          </Badge>
        )}
      </Table.Td>
      <Table.Td>
        <StateMark {...(alive ? { tone: "on", word: t("workerTable.online") } : { tone: "off", word: t("workerTable.offline") })} />
      </Table.Td>
      <Table.Td>
        {alive ? (
          <Slots busy={busySlots} all={slots} of={host} />
        ) : (
          <Text span className="quiet">
            {busySlots > 0 ? t("workerTable.retried", { busySlots }) : "–"}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Group gap="sm" wrap="nowrap">
          {executors.length === 0 && (
            <Text span className="quiet">
              {t("workerTable.none")}
            </Text>
          )}
          {executors.map(({ kind, available, fault }) => (
            <StateMark
              key={kind}
              tone={available ? "on" : "off"}
              word={available ? kind : fault ? t("workerTable.off", { kind, fault }) : t("workerTable.off2", { kind })}
            />
          ))}
        </Group>
      </Table.Td>
      <Table.Td>
        {labels.length > 0 ? (
          labels.join(", ")
        ) : (
          <Text span className="quiet">
            –
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <TimeText at={startDate} />
      </Table.Td>
      <Table.Td>{alive ? t("workerTable.now") : <TimeText at={leaseUntilDate} />}</Table.Td>
    </Table.Tr>
  );
}

function Slots({ busy, all, of }: { busy: number; all: number; of: string }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <Progress value={all === 0 ? 0 : (100 * busy) / all} w={64} size="sm" aria-label={t("workerTable.slotsUse2", { of })} />
      <span>{t("workerTable.of", { busy, all })}</span>
    </Group>
  );
}
