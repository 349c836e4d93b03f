import { Table } from "@mantine/core";
import type { Workers } from "../../../api/queries/workers.ts";
import { t } from "../../../texts/administration.ts";
import { TimeText } from "../../../ui/time/time-text.tsx";
import classes from "../admin.module.css";

/** Task runs that nobody has claimed, by what they need, with the reason in words. */
export function NeedTable({ queue }: { queue: Workers["queue"] }) {
  if (queue.needs.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by keyboard
    <section className={classes.box} tabIndex={0} aria-label={t("needTable.waitingTaskRunsRequirement")}>
      <Table horizontalSpacing="sm" verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("needTable.requirements")}</Table.Th>
            <Table.Th className={classes.number}>{queue.isMore ? t("needTable.taskRunsMoreThan") : t("needTable.taskRuns")}</Table.Th>
            <Table.Th>{t("needTable.waitingSince")}</Table.Th>
            <Table.Th>{t("needTable.reason")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {queue.needs.map(({ executor, labels, waiting, oldestDate, why }) => (
            <Table.Tr key={`${executor} ${labels.join(",")}`}>
              <Table.Td>
                {executor === "image" ? t("needTable.containerKubernetes") : executor}
                {labels.length > 0 && `, ${t("needTable.labels", { labels: labels.join(", ") })}`}
              </Table.Td>
              <Table.Td className={classes.number}>{waiting.toLocaleString()}</Table.Td>
              <Table.Td>
                <TimeText at={oldestDate} />
              </Table.Td>
              <Table.Td data-wraps>{why}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
