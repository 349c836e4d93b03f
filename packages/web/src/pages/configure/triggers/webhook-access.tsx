import { Alert, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, call } from "../../../api/client.ts";
import { type Workflow, webhookSecretQuery } from "../../../api/queries/workflow/workflows.ts";
import { curlCommand } from "../../../components/run-form/run-body.ts";
import { useRights } from "../../../hooks/use-caller.ts";
import { t } from "../../../texts/workflow/triggers.ts";
import { CopyField } from "../../../ui/copy-field.tsx";
import { ActionButton } from "../../../ui/dialog/action-button.tsx";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";
import { Fold } from "../../../ui/fold.tsx";
import { TimeText } from "../../../ui/time/time-text.tsx";
import type { TrialProps } from "../trials/manual-trial.tsx";
import { objectIn, TrialForm } from "../trials/trial.tsx";
import { TriggerFit } from "../trials/trigger-verdict.tsx";
import type { Trigger } from "./trigger-draft.ts";

/** The URL, the secret that signs requests, commands, and a form to send a request now. */
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

/** Whether a secret exists and since when. The secret is shown once, when it is created. */
function WebhookSecret({ team, workflow }: { team: string; workflow: Workflow }) {
  const path = { team, workflow: workflow.name };
  const { data } = useQuery(webhookSecretQuery(team, workflow.name));
  const [asks, setAsks] = useState<"replace" | "delete">();
  const [shown, setShown] = useState<string>();
  const client = useQueryClient();
  const whyNot = useRights(team).whyNot("workflow/write");
  const refresh = () => client.invalidateQueries({ queryKey: webhookSecretQuery(team, workflow.name).queryKey });
  const make = async () => {
    const { secret } = await call(api.PUT("/api/v2/team/{team}/workflow/{workflow}/webhook-secret", { params: { path } }));
    setShown(secret ?? undefined);
    await refresh();
  };
  const drop = async () => {
    await call(api.DELETE("/api/v2/team/{team}/workflow/{workflow}/webhook-secret", { params: { path } }));
    setShown(undefined);
    await refresh();
  };
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <Text size="sm">
          {data?.isSet ? <Since at={data.creationDate} until={data.previousValidUntil} /> : t("webhookAccess.noSigningSecretYet")}
        </Text>
        <ActionButton size="compact-sm" variant="default" whyNot={whyNot} onClick={() => setAsks("replace")}>
          {data?.isSet ? t("webhookAccess.rotateSecret") : t("webhookAccess.createSecret")}
        </ActionButton>
        {data?.isSet && (
          <ActionButton size="compact-sm" variant="default" whyNot={whyNot} onClick={() => setAsks("delete")}>
            {t("webhookAccess.deleteSecret")}
          </ActionButton>
        )}
      </Group>
      {shown !== undefined && (
        <Alert color="yellow" variant="outline" title={t("webhookAccess.copySecretNowCant")}>
          <CopyField value={shown} label={t("webhookAccess.secret")} />
        </Alert>
      )}
      <ConfirmDialog
        isOpen={asks !== undefined}
        onClose={() => setAsks(undefined)}
        title={
          asks === "delete"
            ? t("webhookAccess.deleteSecret")
            : data?.isSet
              ? t("webhookAccess.rotateSecret")
              : t("webhookAccess.createSecret")
        }
        action={asks === "delete" ? t("webhookAccess.delete") : data?.isSet ? t("webhookAccess.rotate") : t("webhookAccess.create")}
        isDangerous={asks === "delete"}
        onConfirm={asks === "delete" ? drop : make}
      >
        {asks === "delete" ? t("webhookAccess.requestsSignedSecretPrevious") : t("webhookAccess.newSecretShownOnce")}
      </ConfirmDialog>
    </Stack>
  );
}

function Since({ at, until }: { at: string | null | undefined; until: string | null | undefined }) {
  return (
    <>
      {t.rich("webhookAccess.requestsSignedSecretCreated", { time: () => <TimeText at={at} /> })}
      {until && <> {t.rich("webhookAccess.previousValidUntil", { time: () => <TimeText at={until} isExact /> })}</>}
    </>
  );
}

/** Signs the request as Standard Webhooks defines it. The secret is read from a variable. */
function signedCommand(url: string): string {
  return `BODY='{"message": "A test"}'
ID=msg-$(date +%s)
TIME=$(date +%s)
KEY=$(printf %s "\${MILLRACE_WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -tx1 | tr -d ' \\n')
SIGNATURE=$(printf %s "$ID.$TIME.$BODY" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | base64)
curl -sS --fail-with-body '${url}' \\
  -H 'Content-Type: application/json' \\
  -H "webhook-id: $ID" -H "webhook-timestamp: $TIME" -H "webhook-signature: v1,$SIGNATURE" \\
  -d "$BODY"`;
}
