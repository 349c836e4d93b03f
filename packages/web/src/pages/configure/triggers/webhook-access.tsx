import { Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, call } from "../../../api/client.ts";
import { curlCommand } from "../../../components/run-form/run-command.ts";
import { useRights } from "../../../hooks/use-caller.ts";
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
  const [text, setText] = useState('{\n  "message": "A test"\n}');
  const payload = objectIn(text);
  const ref = workflow.id ?? "";
  const url = `${window.location.origin}/api/v2/webhook?ref=${ref}`;
  const sending = useMutation({
    mutationFn: (body: Record<string, unknown>) => call(api.POST("/api/v2/webhook", { params: { query: { ref } }, body })),
  });
  const mustSign =
    workflow.triggers?.webhook?.requireSignature === true
      ? "Only signed requests are accepted, and a browser has no secret to sign with. Use the signed command."
      : undefined;
  return (
    <Stack gap="xs">
      <Text size="sm">URL</Text>
      <CopyField value={url} label="the webhook URL" />
      <WebhookSecret team={team} workflow={workflow} />
      <Fold title="Show cURL command with a token">
        <CopyField value={curlCommand({ url, body: { message: "A test" } })} label="the command with a token" />
      </Fold>
      <Fold title="Show signed cURL command">
        <CopyField value={signedCommand(url)} label="the signed command" />
      </Fold>
      <Text size="sm" fw={500}>
        Test
      </Text>
      <TrialForm
        team={team}
        label="JSON object to send to the webhook"
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
