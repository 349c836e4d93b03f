import { Anchor, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type History, type HistoryFigures, historyQuery } from "../../../api/queries/history.ts";
import { HowTo } from "../../../components/how-to/how-to.tsx";
import { curlCommand } from "../../../components/how-to/set-up-command.ts";
import { paths } from "../../../paths.ts";
import { PageHeader } from "../../../ui/page-header.tsx";
import { PlaceLink } from "../../../ui/place-link.tsx";
import { NotLoaded } from "../../../ui/state/not-loaded.tsx";
import { type Column, DataTable } from "../../../ui/table/data-table.tsx";
import { TimeText } from "../../../ui/time/time-text.tsx";
import { bytesText, daysText, kindNames, removedParts } from "./history-words.ts";

const commands = [{ label: "History and its removal", command: curlCommand("GET", "/api/v2/system/history") }];

/** How much history there is, for how long it is kept, and what was removed. */
export function HistorySection() {
  const query = useQuery(historyQuery);
  const { data } = query;
  return (
    <>
      <PageHeader title="History" detail="How much is stored, and when it is removed">
        <HowTo title="History by the API" commands={commands} />
      </PageHeader>
      <NotLoaded query={query} label="Loading history" />
      {data && (
        <Stack gap="sm" px="md" pb="lg">
          <DataTable label="Stored history" minWidth={640} columns={kindColumns} rows={data.kinds} keyOf={({ kind }) => kind} />
          <Title order={2}>Removal</Title>
          <Removal history={data} />
        </Stack>
      )}
    </>
  );
}

const kindColumns: Column<HistoryFigures>[] = [
  {
    title: "Kind",
    cell: ({ kind }) => (
      <>
        {kindNames[kind].title} <span className="quiet">{kindNames[kind].rows}</span>
      </>
    ),
  },
  { title: "Kept for", kind: "number", cell: ({ days }) => daysText(days) },
  { title: "Oldest", kind: "short", cell: ({ oldestDate }) => <TimeText at={oldestDate} /> },
  { title: "Rows (about)", kind: "number", cell: ({ rows }) => rows.toLocaleString("en") },
  { title: "Size", kind: "number", cell: ({ bytes }) => bytesText(bytes) },
];

function Removal({ history }: { history: History }) {
  return (
    <Stack gap={4}>
      <LastRemoval removal={history.lastRemoval} />
      {history.nextRemovalDate !== null && (
        <Text size="sm">
          Next removal: <TimeText at={history.nextRemovalDate} />
        </Text>
      )}
      <Text size="sm" className="quiet">
        Most history is removed a calendar month at a time, so it may stay for up to a month longer. Open runs and runs with the label
        "keep" stay.{" "}
        <Anchor component={PlaceLink} to={paths.admin("settings")} search={{ group: "history" }} inherit>
          Change the number of days
        </Anchor>
      </Text>
    </Stack>
  );
}

function LastRemoval({ removal }: { removal: History["lastRemoval"] }) {
  if (removal === null) return <Text size="sm">Nothing has been removed yet.</Text>;
  const parts = removedParts(removal);
  const what = parts.length === 0 ? "nothing to remove" : parts.join(", ");
  if (removal.endDate === null)
    return (
      <Text size="sm">
        In progress, started <TimeText at={removal.beginDate} />
        {parts.length > 0 && `. Removed so far: ${what}`}
      </Text>
    );
  return (
    <Text size="sm">
      Last removal: <TimeText at={removal.endDate} /> – {what}
    </Text>
  );
}
