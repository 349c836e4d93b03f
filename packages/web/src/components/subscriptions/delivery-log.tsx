import { Group, SegmentedControl, Stack } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import {
  type DeliveryStatus,
  deliveriesPageSize,
  deliveriesQuery,
  replayDead,
  type Subscription,
} from "../../api/queries/subscriptions.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useRenew } from "../../hooks/use-renew.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { EmptyState } from "../../ui/state/empty-state.tsx";
import { NotLoaded } from "../../ui/state/not-loaded.tsx";
import { PageSteps } from "../../ui/table/page-steps.tsx";
import { DeliveryDetail } from "./delivery-detail.tsx";
import { DeliveryTable } from "./delivery-table.tsx";
import { deliveryWords } from "./subscription-marks.tsx";

const statuses = [{ value: "", label: "All" }, ...Object.entries(deliveryWords).map(([value, label]) => ({ value, label }))];

/**
 * The outcome of each event, newest first: filtered by status, one or all that were given up sent again. Filter, page and the open
 * one are in the address.
 */
export function DeliveryLog({ team, subscription }: { team: string | undefined; subscription: Subscription }) {
  const [{ status, page, delivery }, change] = useSearchState({ status: "", page: 0, delivery: "" });
  const renew = useRenew();
  const why = useRights(team).whyNot("integration/write");
  const [isReplaying, setReplaying] = useState(false);
  const filter = { statuses: status === "" ? [] : [status as DeliveryStatus], page };
  const query = useQuery(deliveriesQuery(team, subscription.id, filter));
  const { data } = query;
  const replay = async () => {
    const { count } = await replayDead(team, subscription.id);
    notifications.show({ message: count === 0 ? "No failed deliveries." : `Sent again: ${count.toLocaleString("en")}.` });
    await renew(["deliveries"]);
  };
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <SegmentedControl
          aria-label="Status"
          size="xs"
          data={statuses}
          value={status}
          onChange={(next) => change({ status: next, page: 0 })}
        />
        <ActionButton size="xs" variant="default" whyNot={why} onClick={() => setReplaying(true)}>
          Replay all failed
        </ActionButton>
      </Group>
      <NotLoaded query={query} label="Loading deliveries" />
      {data?.content.length === 0 && <EmptyState title={status === "" ? "No deliveries yet" : "No deliveries with this status"} />}
      {data !== undefined && data.content.length > 0 && (
        <DeliveryTable
          team={team}
          subscription={subscription.id}
          deliveries={data.content}
          onOpen={(id) => change({ delivery: id }, { replace: false })}
        />
      )}
      {data !== undefined && (
        <PageSteps page={page} size={deliveriesPageSize} total={data.totalElements} onChange={(next) => change({ page: next })} />
      )}
      <DeliveryDetail delivery={data?.content.find(({ id }) => id === delivery)} onClose={() => change({ delivery: "" })} />
      <ConfirmDialog
        isOpen={isReplaying}
        onClose={() => setReplaying(false)}
        title="Replay all failed"
        action="Replay deliveries"
        onConfirm={replay}
      >
        All deliveries that were given up are sent again, in order for each run. The header webhook-id lets a receiver recognize what it
        already has.
      </ConfirmDialog>
    </Stack>
  );
}
