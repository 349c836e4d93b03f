import { Alert, Group, Stack, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, call } from "../../../api/client.ts";
import { type Workflow, webhookSecretQuery } from "../../../api/queries/workflows.ts";
import { useRights } from "../../../hooks/use-caller.ts";
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
        <Text size="sm">{data?.isSet ? <Since at={data.creationDate} until={data.previousValidUntil} /> : "No signing secret yet"}</Text>
        <ActionButton size="compact-sm" variant="default" whyNot={whyNot} onClick={() => setAsks("replace")}>
          {data?.isSet ? "Rotate secret" : "Create secret"}
        </ActionButton>
        {data?.isSet && (
          <ActionButton size="compact-sm" variant="default" whyNot={whyNot} onClick={() => setAsks("delete")}>
            Delete secret
          </ActionButton>
        )}
      </Group>
      {shown !== undefined && (
        <Alert color="yellow" variant="outline" title="Copy the secret now. It can't be viewed again">
          <CopyField value={shown} label="the secret" />
        </Alert>
      )}
      <ConfirmDialog
        isOpen={asks !== undefined}
        onClose={() => setAsks(undefined)}
        title={asks === "delete" ? "Delete secret" : data?.isSet ? "Rotate secret" : "Create secret"}
        action={asks === "delete" ? "Delete" : data?.isSet ? "Rotate" : "Create"}
        isDangerous={asks === "delete"}
        onConfirm={asks === "delete" ? drop : make}
      >
        {asks === "delete"
          ? "Requests signed with this secret or the previous one are rejected from now on."
          : "The new secret is shown once. The previous one, if any, stays valid for 24 hours."}
      </ConfirmDialog>
    </Stack>
  );
}

function Since({ at, until }: { at: string | null | undefined; until: string | null | undefined }) {
  return (
    <>
      Requests can be signed with the secret created <TimeText at={at} />
      {until && (
        <>
          {" "}
          (the previous one is valid until <TimeText at={until} isExact />)
        </>
      )}
    </>
  );
}
