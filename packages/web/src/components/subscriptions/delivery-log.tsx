import { Drawer, SegmentedControl, Stack, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import {
  type Delivery,
  type DeliveryStatus,
  deliveriesPageSize,
  deliveriesQuery,
  replayDead,
  replayDelivery,
  type Subscription,
} from "../../api/queries/integrations.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useApiMutation, useRenew } from "../../hooks/use-renew.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { t } from "../../texts/integrations.ts";
import { outcomeOf } from "../../texts/language.ts";
import { CodeEditor } from "../../ui/code/code-editor.tsx";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { ListSection } from "../../ui/list/list-page.tsx";
import { EmptyState } from "../../ui/state/notice.tsx";
import { RefusalText } from "../../ui/state/refusal-alert.tsx";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import { RowButton } from "../../ui/table/scroll-box.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import { eventWords } from "./event-choice.ts";
import { DeliveryMark, deliveryWords } from "./subscription-marks.tsx";
import classes from "./subscriptions.module.css";

const statuses = [{ value: "", label: t("deliveryLog.all") }, ...Object.entries(deliveryWords).map(([value, label]) => ({ value, label }))];

/**
 * The outcome of each event, newest first. Deliveries can be filtered by status, and those that were given up can be sent again, one or
 * all. The URL stores the filter, the page and the open delivery.
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
    notifications.show({ message: count === 0 ? t("deliveryLog.noFailedDeliveries") : t("deliveryLog.sentAgain", { count }) });
    await renew(["deliveries"]);
  };
  return (
    <ListSection
      note={
        <SegmentedControl
          aria-label={t("deliveryLog.status")}
          size="xs"
          data={statuses}
          value={status}
          onChange={(next) => change({ status: next, page: 0 })}
        />
      }
      actions={
        <ActionButton size="xs" variant="default" whyNot={why} onClick={() => setReplaying(true)}>
          {t("deliveryLog.replayAllFailed")}
        </ActionButton>
      }
      pages={data && { page, size: deliveriesPageSize, total: data.totalElements, onChange: (next: number) => change({ page: next }) }}
    >
      <DataTable
        label={t("deliveryLog.deliveries")}
        minWidth={760}
        columns={deliveryColumns({ team, subscription: subscription.id }, (id) => change({ delivery: id }, { replace: false }))}
        query={query}
        rows={data?.content}
        keyOf={({ id }) => id}
        empty={<EmptyState title={status === "" ? t("deliveryLog.noDeliveriesYet") : t("deliveryLog.noDeliveriesStatus")} />}
      />
      <DeliveryDetail delivery={data?.content.find(({ id }) => id === delivery)} onClose={() => change({ delivery: "" })} />
      <ConfirmDialog
        isOpen={isReplaying}
        onClose={() => setReplaying(false)}
        title={t("deliveryLog.replayAllFailed")}
        action={t("deliveryLog.replayDeliveries")}
        onConfirm={replay}
      >
        {t("deliveryLog.allDeliveriesWereGiven")}
      </ConfirmDialog>
    </ListSection>
  );
}

interface Place {
  team: string | undefined;
  subscription: string;
}

/** The response, or the error in its place. */
function deliveryColumns(place: Place, onOpen: (id: string) => void): Column<Delivery>[] {
  return [
    { title: t("deliveryLog.event"), cell: ({ id, event }) => <RowButton onClick={() => onOpen(id)}>{eventWords(event)}</RowButton> },
    { title: t("deliveryLog.status"), kind: "short", cell: ({ status, attempts }) => <DeliveryMark status={status} attempts={attempts} /> },
    { title: t("deliveryLog.response"), cell: (delivery) => <Response delivery={delivery} /> },
    { title: t("deliveryLog.attempts"), kind: "number", cell: ({ attempts }) => attempts },
    { title: t("deliveryLog.created"), kind: "short", cell: ({ creationDate }) => <TimeText at={creationDate} /> },
    {
      title: t("deliveryLog.nextAttempt"),
      kind: "short",
      cell: (delivery) => <TimeText at={isEnded(delivery) ? undefined : delivery.nextAttemptDate} />,
    },
    { title: t("deliveryLog.replay"), kind: "actions", cell: (delivery) => <Replay {...place} delivery={delivery} /> },
  ];
}

function isEnded({ status }: Delivery): boolean {
  return status === "dead" || status === "delivered";
}

function Response({ delivery: { answerStatus, error } }: { delivery: Delivery }) {
  return (
    <div style={{ maxWidth: 320 }}>
      {answerStatus !== undefined && <span className="code">{answerStatus}</span>}{" "}
      {error && (
        <Text size="xs" span lineClamp={2} className="quiet">
          {outcomeOf(error)}
        </Text>
      )}
    </div>
  );
}

/** Sends a delivery again; an error is shown below the button. */
function Replay({ team, subscription, delivery }: Place & { delivery: Delivery }) {
  const why = useRights(team).whyNot("integration/write");
  const replay = useApiMutation({
    changes: ["deliveries"],
    mutationFn: () => replayDelivery(team, subscription, delivery.id),
  });
  return (
    <>
      <ActionButton
        size="compact-xs"
        variant="default"
        whyNot={why ?? (isEnded(delivery) ? undefined : t("deliveryLog.deliveryStillProgress"))}
        loading={replay.isPending}
        onClick={() => replay.mutate()}
        aria-label={t("deliveryLog.replayAction", { eventWords: eventWords(delivery.event) })}
      >
        {t("deliveryLog.replay")}
      </ActionButton>
      <RefusalText error={replay.error} />
    </>
  );
}

/** One delivery: its attempts, the receiver's responses, and the event that was sent. @param delivery undefined: the panel is closed */
function DeliveryDetail({ delivery, onClose }: { delivery: Delivery | undefined; onClose: () => void }) {
  return (
    <Drawer opened={delivery !== undefined} onClose={onClose} position="right" size="lg" title={t("deliveryLog.delivery")}>
      {delivery !== undefined && <Detail delivery={delivery} />}
    </Drawer>
  );
}

function Detail({ delivery }: { delivery: Delivery }) {
  const { status, attempts, answerStatus, answer, error } = delivery;
  return (
    <Stack gap="sm">
      <Text fw={500}>{eventWords(delivery.event)}</Text>
      <div>
        <DeliveryMark status={status} attempts={attempts} />
      </div>
      <dl className={classes.facts}>
        <dt>{t("deliveryLog.headerWebhookId")}</dt>
        <dd className="code">{delivery.id}</dd>
        <dt>{t("deliveryLog.attempts")}</dt>
        <dd>{attempts}</dd>
        <Time name={t("deliveryLog.created")} at={delivery.creationDate} />
        <Time name={t("deliveryLog.lastAttempt")} at={delivery.attemptDate} />
        <Time
          name={t("deliveryLog.nextAttempt")}
          at={status === "pending" || status === "waiting" ? delivery.nextAttemptDate : undefined}
        />
        <Time name={status === "dead" ? t("deliveryLog.gaveUp") : t("deliveryLog.delivered")} at={delivery.endDate} />
      </dl>
      <Title order={3}>{t("deliveryLog.lastResponse")}</Title>
      {error && (
        <Text size="sm" c="var(--status-failed)">
          {outcomeOf(error)}
        </Text>
      )}
      {answerStatus === undefined && !error && <Text className="quiet">{t("deliveryLog.noneYet")}</Text>}
      {answerStatus !== undefined && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keyboard
        <pre className={classes.answer} tabIndex={0}>
          {answerStatus} {answer}
        </pre>
      )}
      <Title order={3}>{t("deliveryLog.event")}</Title>
      <CodeEditor label={t("deliveryLog.event")} value={JSON.stringify(delivery.event, null, 2)} language="json" isReadOnly />
    </Stack>
  );
}

function Time({ name, at }: { name: string; at: string | undefined }) {
  if (at === undefined) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <TimeText at={at} isExact />
      </dd>
    </>
  );
}
