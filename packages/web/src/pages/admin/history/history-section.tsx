import { Anchor, Stack, Table, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type History, type HistoryFigures, historyQuery } from "../../../api/queries/history.ts";
import { HowTo } from "../../../components/how-to/how-to.tsx";
import { curlCommand } from "../../../components/how-to/set-up-command.ts";
import { paths } from "../../../paths.ts";
import { t } from "../../../texts/administration.ts";
import { PageHeader } from "../../../ui/page-header.tsx";
import { PlaceLink } from "../../../ui/place-link.tsx";
import { NotLoaded } from "../../../ui/state/not-loaded.tsx";
import { TimeText } from "../../../ui/time/time-text.tsx";
import classes from "../admin.module.css";
import { bytesText, daysText, kindNames, removedParts } from "./history-words.ts";

const commands = [{ label: t("historySection.historyRemoval"), command: curlCommand("GET", "/api/v2/system/history") }];

/** How much history there is, for how long it is kept, and what was removed. */
export function HistorySection() {
  const query = useQuery(historyQuery);
  const { data } = query;
  return (
    <>
      <PageHeader title={t("historySection.history")} detail={t("historySection.howMuchStoredWhen")}>
        <HowTo title={t("historySection.historyApi")} commands={commands} />
      </PageHeader>
      <NotLoaded query={query} label={t("historySection.loadingHistory")} />
      {data && (
        <>
          <KindTable kinds={data.kinds} />
          <Title order={2} className={classes.part}>
            {t("historySection.removal")}
          </Title>
          <Removal history={data} />
        </>
      )}
    </>
  );
}

function KindTable({ kinds }: { kinds: readonly HistoryFigures[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by keyboard
    <section className={classes.box} tabIndex={0} aria-label={t("historySection.storedHistory")}>
      <Table horizontalSpacing="sm" verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("historySection.kind")}</Table.Th>
            <Table.Th className={classes.number}>{t("historySection.kept")}</Table.Th>
            <Table.Th>{t("historySection.oldest")}</Table.Th>
            <Table.Th className={classes.number}>{t("historySection.rowsAbout")}</Table.Th>
            <Table.Th className={classes.number}>{t("historySection.size")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {kinds.map(({ kind, days, rows, bytes, oldestDate }) => (
            <Table.Tr key={kind}>
              <Table.Td>
                {kindNames[kind].title} <span className="quiet">{kindNames[kind].rows}</span>
              </Table.Td>
              <Table.Td className={classes.number}>{daysText(days)}</Table.Td>
              <Table.Td>
                <TimeText at={oldestDate} />
              </Table.Td>
              <Table.Td className={classes.number}>{rows.toLocaleString("en")}</Table.Td>
              <Table.Td className={classes.number}>{bytesText(bytes)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

function Removal({ history }: { history: History }) {
  return (
    <Stack gap={4} className={classes.part} pb="lg">
      <LastRemoval removal={history.lastRemoval} />
      {history.nextRemovalDate !== null && (
        <Text size="sm">{t.rich("historySection.nextRemoval", { time: () => <TimeText at={history.nextRemovalDate} /> })}</Text>
      )}
      <Text size="sm" className="quiet">
        {t.rich("historySection.mostHistoryRemovedCalendar", {
          link: (chunks) => (
            <Anchor component={PlaceLink} to={paths.admin("settings")} search={{ group: "history" }} inherit>
              {chunks}
            </Anchor>
          ),
        })}
      </Text>
    </Stack>
  );
}

function LastRemoval({ removal }: { removal: History["lastRemoval"] }) {
  if (removal === null) return <Text size="sm">{t("historySection.nothingHasBeenRemoved")}</Text>;
  const parts = removedParts(removal);
  const what = parts.length === 0 ? t("historySection.nothingRemove") : parts.join(", ");
  if (removal.endDate === null)
    return (
      <Text size="sm">
        {t.rich(parts.length === 0 ? "historySection.progressStarted" : "historySection.progressRemoved", {
          what,
          time: () => <TimeText at={removal.beginDate} />,
        })}
      </Text>
    );
  return <Text size="sm">{t.rich("historySection.lastRemoval", { time: () => <TimeText at={removal.endDate} />, what })}</Text>;
}
