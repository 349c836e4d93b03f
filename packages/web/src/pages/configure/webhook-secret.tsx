import { Alert, Group, Stack, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, call } from "../../api/client.ts";
import { type Workflow, webhookSecretQuery } from "../../api/queries/workflows.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { CopyField } from "../../ui/copy-field.tsx";
import { DeedButton } from "../../ui/deed-button.tsx";
import { TimeText } from "../../ui/time-text.tsx";

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
          {data?.isSet ? <Since at={data.creationDate} until={data.previousValidUntil} /> : "No secret to sign with yet"}
        </Text>
        <DeedButton size="compact-sm" variant="default" whyNot={whyNot} onClick={() => setAsks("replace")}>
          {data?.isSet ? "Replace the secret" : "Make a secret"}
        </DeedButton>
        {data?.isSet && (
          <DeedButton size="compact-sm" variant="default" whyNot={whyNot} onClick={() => setAsks("delete")}>
            Delete the secret
          </DeedButton>
        )}
      </Group>
      {shown !== undefined && (
        <Alert color="yellow" variant="outline" title="Copy the secret now: it is shown this once">
          <CopyField value={shown} label="the secret" />
        </Alert>
      )}
      <ConfirmDialog
        isOpen={asks !== undefined}
        onClose={() => setAsks(undefined)}
        title={asks === "delete" ? "Delete the secret" : data?.isSet ? "Replace the secret" : "Make a secret"}
        deed={asks === "delete" ? "Delete it" : data?.isSet ? "Replace it" : "Make it"}
        isDangerous={asks === "delete"}
        onConfirm={asks === "delete" ? drop : make}
      >
        {asks === "delete"
          ? "What is signed with it, or with the one before it, is refused from now on."
          : "It is shown once. The one before it, if there is one, stays good for 24 hours more."}
      </ConfirmDialog>
    </Stack>
  );
}

function Since({ at, until }: { at: string | null | undefined; until: string | null | undefined }) {
  return (
    <>
      Requests can be signed with the secret made <TimeText at={at} />
      {until && (
        <>
          {" "}
          (the one before is good until <TimeText at={until} isExact />)
        </>
      )}
    </>
  );
}
