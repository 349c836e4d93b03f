import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Subscription, subscriptionsQuery } from "../../api/queries/integrations.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { t } from "../../texts/integrations.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { ListSection } from "../../ui/list/list-page.tsx";
import { EmptyState } from "../../ui/state/notice.tsx";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import { RowButton } from "../../ui/table/scroll-box.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import { SubscriptionDetail } from "./subscription-detail.tsx";
import { SubscriptionDialog } from "./subscription-dialog.tsx";
import { filtersText, SubscriptionMark } from "./subscription-marks.tsx";
import { channelWords, targetText } from "./subscription-target.ts";
import classes from "./subscriptions.module.css";

/**
 * Outgoing events of a team, or of the instance where no team is given: who hears of what, and the outcome of each. The open one is in
 * the address.
 */
export function SubscriptionSection({ team }: { team?: string }) {
  const rights = useRights(team);
  const [{ subscription }, change] = useSearchState({ subscription: "" });
  const query = useQuery(subscriptionsQuery(team));
  const subscriptions = query.data?.content;
  const [isCreating, setCreating] = useState(false);
  const open = (name: string) => change({ subscription: name }, { replace: false });
  const chosen = subscriptions?.find(({ id, name }) => id === subscription || name === subscription);
  if (chosen) return <SubscriptionDetail team={team} subscription={chosen} />;
  const create = (
    <ActionButton size="xs" whyNot={rights.whyNot("integration/write")} onClick={() => setCreating(true)}>
      {t("subscriptionSection.createSubscription")}
    </ActionButton>
  );
  const hasSome = subscriptions !== undefined && subscriptions.length > 0;
  return (
    <ListSection note={hasSome && t("subscriptionSection.eachEventDeliveredLeast")} actions={hasSome && create}>
      <DataTable
        label={t("subscriptionSection.subscriptions")}
        minWidth={720}
        columns={subscriptionColumns(open)}
        query={query}
        rows={subscriptions}
        keyOf={({ id }) => id}
        empty={
          <EmptyState title={t("subscriptionSection.noNotificationsYet")}>
            <Text className="quiet">
              {t(team === undefined ? "subscriptionSection.getNotifiedOfAllTeams" : "subscriptionSection.getNotified")}
            </Text>
            {create}
          </EmptyState>
        }
      />
      {subscription !== "" && subscriptions !== undefined && (
        <Text size="sm" role="status">
          {t("subscriptionSection.thereNoSubscriptionAny", { subscription })}
        </Text>
      )}
      {isCreating && <SubscriptionDialog team={team} known={undefined} onClose={() => setCreating(false)} onMade={open} />}
    </ListSection>
  );
}

/** Which events are sent where, and whether the subscription is on. */
function subscriptionColumns(onOpen: (name: string) => void): Column<Subscription>[] {
  return [
    { title: t("subscriptionSection.name"), cell: ({ name }) => <RowButton onClick={() => onOpen(name)}>{name}</RowButton> },
    { title: t("subscriptionSection.state"), kind: "short", cell: (subscription) => <SubscriptionMark {...subscription} /> },
    { title: t("subscriptionSection.channel"), cell: ({ channel }) => channelWords[channel] },
    {
      title: t("subscriptionSection.to"),
      cell: ({ channel, target }) => <div className={classes.target}>{targetText(channel, target)}</div>,
    },
    { title: t("subscriptionSection.events"), cell: ({ filters }) => <div className={classes.events}>{filtersText(filters)}</div> },
    { title: t("subscriptionSection.changed"), kind: "short", cell: ({ changeDate }) => <TimeText at={changeDate} /> },
  ];
}
