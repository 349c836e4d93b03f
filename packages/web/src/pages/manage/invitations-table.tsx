import { Button, Group, Modal, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, call } from "../../api/client.ts";
import { type Invitation, invitationsQuery, type NewInvitation } from "../../api/queries/identity/invitations.ts";
import { roleWord } from "../../components/role-word.ts";
import { useApiMutation, useRenew } from "../../hooks/use-renew.ts";
import { t } from "../../texts/team.ts";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { StateMark } from "../../ui/mark/state-mark.tsx";
import { RefusalText } from "../../ui/state/refusal-alert.tsx";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import { InvitationLink } from "./invite-dialog.tsx";

/** Open invitations. Renders nothing when there are none. */
export function InvitationsTable({ team }: { team: string }) {
  const query = useQuery(invitationsQuery(team));
  const [revoked, setRevoked] = useState<Invitation>();
  const [renewed, setRenewed] = useState<NewInvitation>();
  const rows = query.data?.content ?? [];
  const columns: Column<Invitation>[] = [
    { title: t("invitationsTable.person"), cell: ({ email }) => <Text size="sm">{email}</Text> },
    { title: t("invitationsTable.role"), kind: "short", cell: ({ role }) => roleWord(role) },
    { title: t("invitationsTable.state"), cell: (invitation) => <State invitation={invitation} /> },
    { title: t("invitationsTable.invitedBy"), cell: ({ invitedBy }) => <span className="quiet">{invitedBy}</span> },
    { title: t("invitationsTable.expires"), kind: "short", cell: ({ expirationDate }) => <TimeText at={expirationDate} /> },
    {
      title: t("invitationsTable.actions"),
      kind: "actions",
      cell: (invitation) => <Actions team={team} invitation={invitation} onRenewed={setRenewed} onRevoke={() => setRevoked(invitation)} />,
    },
  ];
  if (rows.length === 0 && renewed === undefined) return null;
  return (
    <section aria-label={t("invitationsTable.invitations")}>
      <Title order={2} size="h4" mt="lg" mb={4}>
        {t("invitationsTable.invitations")}
      </Title>
      <DataTable label={t("invitationsTable.invitations")} minWidth={640} columns={columns} rows={rows} keyOf={({ id }) => id} />
      <RevokeDialog team={team} invitation={revoked} onClose={() => setRevoked(undefined)} />
      {renewed && (
        <Modal opened centered title={t("invitationsTable.newLinkFor", { email: renewed.email })} onClose={() => setRenewed(undefined)}>
          <Stack gap="md">
            <Text size="sm">{t("invitationLink.note")}</Text>
            <InvitationLink invitation={renewed} />
            <Group justify="flex-end">
              <Button onClick={() => setRenewed(undefined)}>{t("invitationLink.done")}</Button>
            </Group>
          </Stack>
        </Modal>
      )}
    </section>
  );
}

/** A failed email takes precedence over the state of the invitation. */
function State({ invitation: { state, mail } }: { invitation: Invitation }) {
  const tone = state === "expired" ? "off" : "rest";
  return (
    <>
      <StateMark tone={tone} word={t(state === "expired" ? "invitationsTable.expired" : "invitationsTable.pending")} />
      {mail && (
        <Text
          size="xs"
          c={mail.error === undefined ? undefined : "var(--status-failed)"}
          className={mail.error === undefined ? "quiet" : ""}
        >
          {mailText(mail)}
        </Text>
      )}
    </>
  );
}

function mailText({ status, error = "" }: NonNullable<Invitation["mail"]>): string {
  if (status === "sent") return t("invitationsTable.mailSent");
  if (status === "failed") return t("invitationsTable.mailFailed", { error });
  return error === "" ? t("invitationsTable.mailSending") : t("invitationsTable.mailTriedAgain", { error });
}

interface ActionsProps {
  team: string;
  invitation: Invitation;
  onRenewed: (invitation: NewInvitation) => void;
  onRevoke: () => void;
}

function Actions({ team, invitation: { id, email, mail }, onRenewed, onRevoke }: ActionsProps) {
  const { mutate, isPending, error } = useApiMutation({
    mutationFn: () =>
      call(api.POST("/api/v2/team/{team}/invitation/{invitation}/renew", { params: { path: { team, invitation: id } }, body: {} })),
    changes: ["team"],
    team,
    onSuccess: onRenewed,
  });
  const isMailed = mail !== undefined;
  return (
    <>
      <Group gap="xs" justify="flex-end" wrap="nowrap">
        <Button
          size="compact-xs"
          variant="default"
          loading={isPending}
          onClick={() => mutate()}
          aria-label={t(isMailed ? "invitationsTable.sendAgainTo" : "invitationsTable.newLinkFor", { email })}
        >
          {t(isMailed ? "invitationsTable.sendAgain" : "invitationsTable.newLink")}
        </Button>
        <Button size="compact-xs" variant="default" onClick={onRevoke} aria-label={t("invitationsTable.revokeOf", { email })}>
          {t("invitationsTable.revoke")}
        </Button>
      </Group>
      <RefusalText error={error} />
    </>
  );
}

/** @param invitation undefined: the dialog is closed */
function RevokeDialog({ team, invitation, onClose }: { team: string; invitation: Invitation | undefined; onClose: () => void }) {
  const renew = useRenew();
  const revoke = async () => {
    const path = { team, invitation: invitation?.id ?? "" };
    await call(api.DELETE("/api/v2/team/{team}/invitation/{invitation}", { params: { path } }));
    await renew(["team"], team);
  };
  return (
    <ConfirmDialog
      isOpen={invitation !== undefined}
      onClose={onClose}
      title={t("invitationsTable.revokeOf", { email: invitation?.email ?? "" })}
      action={t("invitationsTable.revokeInvitation")}
      isDangerous
      onConfirm={revoke}
    >
      {t("invitationsTable.linkStopsWorking")}
    </ConfirmDialog>
  );
}
