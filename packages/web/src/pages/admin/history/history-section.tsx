import { Anchor, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type History, type HistoryFigures, historyQuery } from "../../../api/queries/settings.ts";
import { HowTo } from "../../../components/how-to/how-to.tsx";
import { curlCommand } from "../../../components/how-to/set-up-command.ts";
import { paths } from "../../../paths.ts";
import { t } from "../../../texts/settings/administration.ts";
import { numberText } from "../../../ui/format.ts";
import { PageHeader, PlaceLink } from "../../../ui/page-header.tsx";
import { NotLoaded } from "../../../ui/state/not-loaded.tsx";
import { type Column, DataTable } from "../../../ui/table/data-table.tsx";
import { TimeText } from "../../../ui/time/time-text.tsx";
import { DiskUse } from "./disk-use.tsx";
import { bytesText, daysText, kindNames, removedParts } from "./history-words.ts";

const commands = [{ label: t("historySection.historyRemoval"), command: curlCommand("GET", "/api/v2/system/history") }];

/** How much history is stored, for how long it is kept, and what was removed. */
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
        <Stack gap="sm" px="md" pb="lg">
          <DataTable
            label={t("historySection.storedHistory")}
            minWidth={640}
            columns={kindColumns}
            rows={data.kinds}
            keyOf={({ kind }) => kind}
          />
          <Title order={2}>{t("historySection.removal")}</Title>
          <Removal history={data} />
          <DiskUse storage={data.storage} />
        </Stack>
      )}
    </>
  );
}

const kindColumns: Column<HistoryFigures>[] = [
  {
    title: t("historySection.kind"),
    cell: ({ kind }) => (
      <>
        {kindNames[kind].title} <span className="quiet">{kindNames[kind].rows}</span>
      </>
    ),
  },
  { title: t("historySection.kept"), kind: "number", cell: ({ days }) => daysText(days) },
  { title: t("historySection.oldest"), kind: "short", cell: ({ oldestDate }) => <TimeText at={oldestDate} /> },
  { title: t("historySection.removedFrom"), kind: "short", cell: ({ nextRemovalDate }) => <TimeText at={nextRemovalDate} /> },
  { title: t("historySection.rowsAbout"), kind: "number", cell: ({ rows }) => numberText(rows) },
  { title: t("historySection.size"), kind: "number", cell: ({ bytes }) => bytesText(bytes) },
];

function Removal({ history }: { history: History }) {
  return (
    <Stack gap={4}>
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
        {t.rich("historySection.progressStarted", { time: () => <TimeText at={removal.beginDate} /> })}
        {parts.length > 0 && `. Removed so far: ${what}`}
      </Text>
    );
  return <Text size="sm">{t.rich("historySection.lastRemoval", { time: () => <TimeText at={removal.endDate} />, what })}</Text>;
}
