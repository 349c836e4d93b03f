import { Anchor, Table } from "@mantine/core";
import type { Subscription } from "../../api/queries/subscriptions.ts";
import { TableBox } from "../../ui/table/table-box.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import { choiceText, fromFilters } from "./event-choice.ts";
import { SubscriptionMark } from "./subscription-marks.tsx";
import { channelWords, targetText } from "./subscription-target.ts";
import classes from "./subscriptions.module.css";

/** Who is told of what, and whether it is on. */
export function SubscriptionTable({ subscriptions, onOpen }: { subscriptions: readonly Subscription[]; onOpen: (name: string) => void }) {
  return (
    <TableBox label="Subscriptions" miw={720}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th>State</Table.Th>
          <Table.Th>Channel</Table.Th>
          <Table.Th>To</Table.Th>
          <Table.Th>Events</Table.Th>
          <Table.Th>Changed</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {subscriptions.map((one) => (
          <Table.Tr key={one.id}>
            <Table.Td fw={500}>
              <Anchor
                component="button"
                type="button"
                size="sm"
                ta="left"
                c="inherit"
                fw={500}
                underline="hover"
                onClick={() => onOpen(one.name)}
              >
                {one.name}
              </Anchor>
            </Table.Td>
            <Table.Td>
              <SubscriptionMark {...one} />
            </Table.Td>
            <Table.Td>{channelWords[one.channel]}</Table.Td>
            <Table.Td className={classes.target}>{targetText(one.channel, one.target)}</Table.Td>
            <Table.Td className={classes.events}>{filtersText(one.filters)}</Table.Td>
            <Table.Td style={{ whiteSpace: "nowrap" }}>
              <TimeText at={one.changeDate} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </TableBox>
  );
}

/** Own filters are not said again in words. */
export function filtersText(filters: Subscription["filters"]): string {
  const choice = fromFilters(filters);
  return choice === undefined ? "By custom filters" : choiceText(choice);
}
