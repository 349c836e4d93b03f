import { Alert, Group, Stack, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, call } from "../../../api/client.ts";
import { type Workflow, webhookSecretQuery } from "../../../api/queries/workflows.ts";
import { useRights } from "../../../hooks/use-caller.ts";
import { t } from "../../../texts/triggers.ts";
import { CopyField } from "../../../ui/copy-field.tsx";
import { ActionButton } from "../../../ui/dialog/action-button.tsx";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";
import { TimeText } from "../../../ui/time/time-text.tsx";

/** Whether there is a secret, and since when; it is shown once, when it is made. */
export function WebhookSecret({ team, workflow }: { team: string; workflow: Workflow }) {
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
          {data?.isSet ? <Since at={data.creationDate} until={data.previousValidUntil} /> : t("webhookSecret.noSigningSecretYet")}
        </Text>
        <ActionButton size="compact-sm" variant="default" whyNot={whyNot} onClick={() => setAsks("replace")}>
          {data?.isSet ? t("webhookSecret.rotateSecret") : t("webhookSecret.createSecret")}
        </ActionButton>
        {data?.isSet && (
          <ActionButton size="compact-sm" variant="default" whyNot={whyNot} onClick={() => setAsks("delete")}>
            {t("webhookSecret.deleteSecret")}
          </ActionButton>
        )}
      </Group>
      {shown !== undefined && (
        <Alert color="yellow" variant="outline" title={t("webhookSecret.copySecretNowCant")}>
          <CopyField value={shown} label={t("webhookSecret.secret")} />
        </Alert>
      )}
      <ConfirmDialog
        isOpen={asks !== undefined}
        onClose={() => setAsks(undefined)}
        title={
          asks === "delete"
            ? t("webhookSecret.deleteSecret")
            : data?.isSet
              ? t("webhookSecret.rotateSecret")
              : t("webhookSecret.createSecret")
        }
        action={asks === "delete" ? t("webhookSecret.delete") : data?.isSet ? t("webhookSecret.rotate") : t("webhookSecret.create")}
        isDangerous={asks === "delete"}
        onConfirm={asks === "delete" ? drop : make}
      >
        {asks === "delete" ? t("webhookSecret.requestsSignedSecretPrevious") : t("webhookSecret.newSecretShownOnce")}
      </ConfirmDialog>
    </Stack>
  );
}

function Since({ at, until }: { at: string | null | undefined; until: string | null | undefined }) {
  return (
    <>
      {t.rich("webhookSecret.requestsSignedSecretCreated", { time: () => <TimeText at={at} /> })}
      {until && <> {t.rich("webhookSecret.previousValidUntil", { time: () => <TimeText at={until} isExact /> })}</>}
    </>
  );
}
