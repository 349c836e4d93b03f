import { Anchor, Table, Text } from "@mantine/core";
import { type Delivery, replayDelivery } from "../../api/queries/subscriptions.ts";
import { useApiMutation } from "../../hooks/use-api-mutation.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { RefusalText } from "../../ui/state/refusal-text.tsx";
import { TableBox } from "../../ui/table/table-box.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import { eventWords } from "./event-words.ts";
import { DeliveryMark } from "./subscription-marks.tsx";

interface DeliveryTableProps {
  team: string | undefined;
  subscription: string;
  deliveries: readonly Delivery[];
  onOpen: (id: string) => void;
}

/** One line a delivery, with the answer or the failure where it arises. */
export function DeliveryTable({ team, subscription, deliveries, onOpen }: DeliveryTableProps) {
  return (
    <TableBox label="Deliveries" miw={760}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Event</Table.Th>
          <Table.Th>Status</Table.Th>
          <Table.Th>Response</Table.Th>
          <Table.Th ta="right">Attempts</Table.Th>
          <Table.Th>Created</Table.Th>
          <Table.Th>Next attempt</Table.Th>
          <Table.Th>
            <span className="only-heard">Replay</span>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {deliveries.map((delivery) => (
          <DeliveryRow key={delivery.id} {...{ team, subscription, delivery }} onOpen={() => onOpen(delivery.id)} />
        ))}
      </Table.Tbody>
    </TableBox>
  );
}

function DeliveryRow({ team, subscription, delivery, onOpen }: Omit<DeliveryTableProps, "deliveries"> & { delivery: Delivery }) {
  const why = useRights(team).whyNot("integration/write");
  const { id, status, attempts, answerStatus, error } = delivery;
  const isEnded = status === "dead" || status === "delivered";
  const replay = useApiMutation({
    changes: ["deliveries"],
    mutationFn: () => replayDelivery(team, subscription, id),
  });
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor component="button" type="button" size="sm" ta="left" onClick={() => onOpen(id)}>
          {eventWords(delivery.event)}
        </Anchor>
      </Table.Td>
      <Table.Td>
        <DeliveryMark status={status} attempts={attempts} />
      </Table.Td>
      <Table.Td maw={320}>
        {answerStatus !== undefined && <span className="code">{answerStatus}</span>}{" "}
        {error && (
          <Text size="xs" span lineClamp={2} className="quiet">
            {error}
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right">{attempts}</Table.Td>
      <Table.Td style={{ whiteSpace: "nowrap" }}>
        <TimeText at={delivery.creationDate} />
      </Table.Td>
      <Table.Td style={{ whiteSpace: "nowrap" }}>
        <TimeText at={isEnded ? undefined : delivery.nextAttemptDate} />
      </Table.Td>
      <Table.Td ta="right">
        <ActionButton
          size="compact-xs"
          variant="default"
          whyNot={why ?? (isEnded ? undefined : "Delivery is still in progress.")}
          loading={replay.isPending}
          onClick={() => replay.mutate()}
          aria-label={`Replay ${eventWords(delivery.event)}`}
        >
          Replay
        </ActionButton>
        <RefusalText error={replay.error} />
      </Table.Td>
    </Table.Tr>
  );
}
