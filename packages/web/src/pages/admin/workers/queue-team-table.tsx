import { Anchor, Table } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Workers } from "../../../api/queries/workers.ts";
import { paths } from "../../../paths.ts";
import { t } from "../../../texts/administration.ts";
import { TimeText } from "../../../ui/time/time-text.tsx";
import classes from "../admin.module.css";

/** The teams whose task runs or runs wait: who is hurt, and who fills the queue. */
export function QueueTeamTable({ queue }: { queue: Workers["queue"] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by keyboard
    <section className={classes.box} tabIndex={0} aria-label={t("queueTeamTable.queueTeam")}>
      <Table horizontalSpacing="sm" verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("queueTeamTable.team")}</Table.Th>
            <Table.Th className={classes.number}>{t("queueTeamTable.taskRunsWaitingWorker")}</Table.Th>
            <Table.Th>{t("queueTeamTable.waitingSince")}</Table.Th>
            <Table.Th className={classes.number}>{t("queueTeamTable.runsWaitingQuotaEngine")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {queue.teams.map(({ id, name, displayName, waiting, oldestDate, queuedRuns }) => (
            <Table.Tr key={id}>
              <Table.Td>
                <Anchor component={Link} to={paths.activity(name)} inherit c="inherit" fw={500} underline="hover">
                  {displayName || name}
                </Anchor>
              </Table.Td>
              <Table.Td className={classes.number}>{waiting.toLocaleString()}</Table.Td>
              <Table.Td>
                <TimeText at={oldestDate} />
              </Table.Td>
              <Table.Td className={classes.number}>{queuedRuns.toLocaleString()}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
