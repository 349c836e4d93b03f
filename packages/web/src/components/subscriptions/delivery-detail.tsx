import { Drawer, Stack, Text, Title } from "@mantine/core";
import type { Delivery } from "../../api/queries/subscriptions.ts";
import { t } from "../../texts/subscriptions.ts";
import { CodeEditor } from "../../ui/code/code-editor.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import { eventWords } from "./event-words.ts";
import { DeliveryMark } from "./subscription-marks.tsx";
import classes from "./subscriptions.module.css";

/** One delivery: its attempts, what the receiver answered, and the event that was sent. @param delivery undefined: closed */
export function DeliveryDetail({ delivery, onClose }: { delivery: Delivery | undefined; onClose: () => void }) {
  return (
    <Drawer opened={delivery !== undefined} onClose={onClose} position="right" size="lg" title={t("deliveryDetail.delivery")}>
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
        <dt>{t("deliveryDetail.headerWebhookId")}</dt>
        <dd className="code">{delivery.id}</dd>
        <dt>{t("deliveryDetail.attempts")}</dt>
        <dd>{attempts}</dd>
        <Time name={t("deliveryDetail.created")} at={delivery.creationDate} />
        <Time name={t("deliveryDetail.lastAttempt")} at={delivery.attemptDate} />
        <Time
          name={t("deliveryDetail.nextAttempt")}
          at={status === "pending" || status === "waiting" ? delivery.nextAttemptDate : undefined}
        />
        <Time name={status === "dead" ? t("deliveryDetail.gaveUp") : t("deliveryDetail.delivered")} at={delivery.endDate} />
      </dl>
      <Title order={3}>{t("deliveryDetail.lastResponse")}</Title>
      {error && (
        <Text size="sm" c="var(--status-failed)">
          {error}
        </Text>
      )}
      {answerStatus === undefined && !error && <Text className="quiet">{t("deliveryDetail.noneYet")}</Text>}
      {answerStatus !== undefined && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        <pre className={classes.answer} tabIndex={0}>
          {answerStatus} {answer}
        </pre>
      )}
      <Title order={3}>{t("deliveryDetail.event")}</Title>
      <CodeEditor label={t("deliveryDetail.event")} value={JSON.stringify(delivery.event, null, 2)} language="json" isReadOnly />
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
