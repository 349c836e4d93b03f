import { Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { subscriptionsQuery } from "../../api/queries/subscriptions.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { EmptyState } from "../../ui/state/empty-state.tsx";
import { NotLoaded } from "../../ui/state/not-loaded.tsx";
import { SubscriptionDetail } from "./subscription-detail.tsx";
import { SubscriptionDialog } from "./subscription-dialog.tsx";
import { SubscriptionTable } from "./subscription-table.tsx";

/**
 * Events out of a team, or of the instance where no team is given: who hears of what, and the outcome of each. The open one is in
 * the address.
 */
export function SubscriptionSection({ team }: { team?: string }) {
  const rights = useRights(team);
  const [{ subscription }, change] = useSearchState({ subscription: "" });
  const query = useQuery(subscriptionsQuery(team));
  const { data } = query;
  const [isMaking, setMaking] = useState(false);
  const open = (name: string) => change({ subscription: name }, { replace: false });
  if (data === undefined) return <NotLoaded query={query} label="Loading subscriptions" />;
  const chosen = data.content.find(({ id, name }) => id === subscription || name === subscription);
  if (chosen) return <SubscriptionDetail team={team} subscription={chosen} />;
  const create = (
    <ActionButton size="xs" whyNot={rights.whyNot("integration/write")} onClick={() => setMaking(true)}>
      Create subscription
    </ActionButton>
  );
  return (
    <Stack gap="sm">
      {data.content.length === 0 ? (
        <EmptyState title="No notifications yet">
          <Text className="quiet">
            Get notified when {team === undefined ? "anything in any team" : "a run, an approval or a schedule"} changes: by webhook, email
            or chat.
          </Text>
          {create}
        </EmptyState>
      ) : (
        <>
          <Group justify="space-between" gap="xs">
            <Text size="sm" className="quiet">
              Each event is delivered at least once and in order. Failed deliveries are retried for a day.
            </Text>
            {create}
          </Group>
          <SubscriptionTable subscriptions={data.content} onOpen={open} />
        </>
      )}
      {subscription !== "" && (
        <Text size="sm" role="status">
          There is no subscription {subscription} any more.
        </Text>
      )}
      <SubscriptionDialog team={team} subscription={isMaking ? "new" : undefined} onClose={() => setMaking(false)} onMade={open} />
    </Stack>
  );
}
