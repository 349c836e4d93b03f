import { Anchor, Stack, Table, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type History, type HistoryFigures, historyQuery } from "../../../api/queries/history.ts";
import { HowTo } from "../../../components/how-to/how-to.tsx";
import { curlCommand } from "../../../components/how-to/set-up-command.ts";
import { paths } from "../../../paths.ts";
import { PageHeader } from "../../../ui/page-header.tsx";
import { PlaceLink } from "../../../ui/place-link.tsx";
import { NotLoaded } from "../../../ui/state/not-loaded.tsx";
import { TimeText } from "../../../ui/time/time-text.tsx";
import classes from "../admin.module.css";
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
        <>
          <KindTable kinds={data.kinds} />
          <Title order={2} className={classes.part}>
            Removal
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
    <section className={classes.box} tabIndex={0} aria-label="Stored history">
      <Table horizontalSpacing="sm" verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Kind</Table.Th>
            <Table.Th className={classes.number}>Kept for</Table.Th>
            <Table.Th>Oldest</Table.Th>
            <Table.Th className={classes.number}>Rows (about)</Table.Th>
            <Table.Th className={classes.number}>Size</Table.Th>
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
