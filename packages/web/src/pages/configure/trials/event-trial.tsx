import { Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, call } from "../../../api/client.ts";
import { curlCommand } from "../../../components/run-form/run-command.ts";
import { useRights } from "../../../hooks/use-caller.ts";
import { t } from "../../../texts/triggers.ts";
import { CopyField } from "../../../ui/copy-field.tsx";
import { Fold } from "../../../ui/fold.tsx";
import { sampleEvent, type Trigger } from "../triggers/trigger-draft.ts";
import type { TrialProps } from "./manual-trial.tsx";
import { objectIn, TrialForm } from "./trial.tsx";
import { TriggerFit } from "./trigger-fit.tsx";

const freshId = () => `test-${Date.now().toString(36)}`;

/** The address for events, the command, and an event to send now. */
export function EventTrial({ team, workflow, whyNot, trigger }: TrialProps & { trigger: Trigger }) {
  const rights = useRights(team);
  const [id, setId] = useState(freshId);
  // Until somebody types in it, it follows the conditions.
  const [typed, setTyped] = useState<string>();
  const text = typed ?? JSON.stringify(sampleEvent(trigger, id), null, 2);
  const payload = objectIn(text);
  const ref = workflow.id ?? "";
  const url = `${window.location.origin}/api/v2/event?ref=${ref}`;
  const sending = useMutation({
    mutationFn: (body: Record<string, unknown>) =>
      call(api.POST("/api/v2/event", { params: { query: { ref } }, body, headers: { "content-type": "application/cloudevents+json" } })),
    // The same event would get the first answer again.
    onSuccess: (_, { id: sent }) => {
      const next = freshId();
      setId(next);
      setTyped((now) => now?.replace(JSON.stringify(sent), JSON.stringify(next)));
    },
  });
  return (
    <Stack gap="xs">
      <Text size="sm">{t("eventTrial.urlEventsTokenHas")}</Text>
      <CopyField value={url} label={t("eventTrial.urlEvents")} />
      <Fold title={t("eventTrial.showCurlCommand")}>
        <CopyField value={eventCommand(url, text)} label={t("eventTrial.commandEvents")} />
      </Fold>
      <Text size="sm" fw={500}>
        {t("eventTrial.testEvent")}
      </Text>
      <TrialForm
        team={team}
        label={t("eventTrial.cloudeventSend")}
        text={text}
        onChange={(next) => next !== text && setTyped(next)}
        onSend={sending.mutate}
        answer={sending.data}
        error={sending.error}
        isBusy={sending.isPending}
        whyNot={rights.whyNot("webhook/action") ?? whyNot}
      >
        <TriggerFit team={team} workflow={workflow} trigger={trigger} tried={payload && { kind: "event", payload }} />
      </TrialForm>
    </Stack>
  );
}

function eventCommand(url: string, text: string): string {
  let body: unknown = text;
  try {
    body = JSON.parse(text);
  } catch {
    // Shown as it is typed.
  }
  return curlCommand({ url, body }).replace("application/json", "application/cloudevents+json");
}
