import { Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, call } from "../../../api/client.ts";
import { curlCommand } from "../../../components/run-form/run-command.ts";
import { useRights } from "../../../hooks/use-caller.ts";
import { t } from "../../../texts/triggers.ts";
import { CopyField } from "../../../ui/copy-field.tsx";
import { Fold } from "../../../ui/fold.tsx";
import type { TrialProps } from "../trials/manual-trial.tsx";
import { signedCommand } from "../trials/signed-command.ts";
import { objectIn, TrialForm } from "../trials/trial.tsx";
import { TriggerFit } from "../trials/trigger-fit.tsx";
import type { Trigger } from "./trigger-draft.ts";
import { WebhookSecret } from "./webhook-secret.tsx";

/** The address, the secret that requests are signed with, commands, and a request to send now. */
export function WebhookAccess({ team, workflow, whyNot, trigger }: TrialProps & { trigger: Trigger }) {
  const rights = useRights(team);
  const [text, setText] = useState(t("webhookAccess.text"));
  const payload = objectIn(text);
  const ref = workflow.id ?? "";
  const url = `${window.location.origin}/api/v2/webhook?ref=${ref}`;
  const sending = useMutation({
    mutationFn: (body: Record<string, unknown>) => call(api.POST("/api/v2/webhook", { params: { query: { ref } }, body })),
  });
  const mustSign = workflow.triggers?.webhook?.requireSignature === true ? t("webhookAccess.onlySignedRequestsAccepted") : undefined;
  return (
    <Stack gap="xs">
      <Text size="sm">{t("webhookAccess.url")}</Text>
      <CopyField value={url} label={t("webhookAccess.webhookUrl")} />
      <WebhookSecret team={team} workflow={workflow} />
      <Fold title={t("webhookAccess.showCurlCommandToken")}>
        <CopyField value={curlCommand({ url, body: { message: t("webhookAccess.test") } })} label={t("webhookAccess.commandToken")} />
      </Fold>
      <Fold title={t("webhookAccess.showSignedCurlCommand")}>
        <CopyField value={signedCommand(url)} label={t("webhookAccess.signedCommand")} />
      </Fold>
      <Text size="sm" fw={500}>
        {t("webhookAccess.testNote")}
      </Text>
      <TrialForm
        team={team}
        label={t("webhookAccess.jsonObjectSendWebhook")}
        text={text}
        onChange={setText}
        onSend={sending.mutate}
        answer={sending.data}
        error={sending.error}
        isBusy={sending.isPending}
        whyNot={rights.whyNot("webhook/action") ?? whyNot ?? mustSign}
      >
        <TriggerFit team={team} workflow={workflow} trigger={trigger} tried={payload && { kind: "webhook", payload }} />
      </TrialForm>
    </Stack>
  );
}
