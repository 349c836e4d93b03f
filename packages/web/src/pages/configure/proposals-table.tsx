import { Anchor, Group, Stack, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { messageOf } from "../../api/api-error.ts";
import { fetchFresh } from "../../api/fetch-fresh.ts";
import { type Proposal, proposalsQuery, readProposal, withdrawProposal } from "../../api/queries/workflow/protection.ts";
import { workflowDraftQuery } from "../../api/queries/workflow/workflow-draft.ts";
import { StatusOfAction } from "../../components/actions/action-mark.tsx";
import { draftOf } from "../../editor/draft/draft.ts";
import { useDraft } from "../../editor/draft/draft-context.ts";
import { mergeDrafts } from "../../editor/draft/merge-drafts.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useRenew } from "../../hooks/use-renew.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/workflow/protection.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";

interface ProposalsTableProps {
  team: string;
  workflow: string;
  isProtected: boolean;
}

/** The proposed versions: their status, a link to the decision, and a way to continue with their draft. */
export function ProposalsTable({ team, workflow, isProtected }: ProposalsTableProps) {
  const query = useQuery(proposalsQuery(team, workflow));
  const whyNotWrite = useRights(team).whyNot("workflow/write");
  const renew = useRenew();
  const [withdrawn, setWithdrawn] = useState<Proposal>();
  const draft = useOpenDraft(team, workflow);
  // Without protection or proposals there is nothing to show.
  if (!isProtected && query.data?.length === 0) return null;
  const withdraw = async () => {
    await withdrawProposal(team, workflow, withdrawn?.actionRef ?? "");
    await renew(["workflow", "actions", "action", "action-summary"], team);
  };
  const columns: Column<Proposal>[] = [
    {
      title: t("proposalsTable.version"),
      kind: "short",
      cell: ({ version, actionRef }) => (
        <Anchor component={Link} inherit to={paths.action(team, actionRef)}>
          {t("proposalsTable.versionNumber", { version: String(version) })}
        </Anchor>
      ),
    },
    {
      title: t("proposalsTable.status"),
      cell: ({ status, note }) => (
        <>
          <StatusOfAction status={status} />
          {note && (
            <Text size="xs" className="quiet">
              {note}
            </Text>
          )}
        </>
      ),
    },
    { title: t("proposalsTable.reason"), cell: ({ reason }) => reason },
    { title: t("proposalsTable.by"), cell: ({ author }) => author },
    { title: t("proposalsTable.when"), kind: "short", cell: ({ creationDate }) => <TimeText at={creationDate} /> },
    {
      title: t("proposalsTable.actions"),
      kind: "actions",
      cell: (proposal) => (
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          {proposal.status === "submitted" && (
            <ActionButton
              size="compact-xs"
              variant="default"
              whyNot={whyNotWrite ?? (proposal.canWithdraw ? undefined : t("proposalsTable.onlyTheirs", { author: proposal.author }))}
              aria-label={t("proposalsTable.withdrawTitle", { version: String(proposal.version) })}
              onClick={() => setWithdrawn(proposal)}
            >
              {t("proposalsTable.withdraw")}
            </ActionButton>
          )}
          {proposal.status !== "approved" && (
            <ActionButton
              size="compact-xs"
              variant="default"
              whyNot={draft.whyNot}
              loading={draft.opens === proposal.actionRef}
              aria-label={t("proposalsTable.openDraftOf", { version: String(proposal.version), author: proposal.author })}
              onClick={() => draft.open(proposal)}
            >
              {t("proposalsTable.openDraft")}
            </ActionButton>
          )}
        </Group>
      ),
    },
  ];
  return (
    <Stack gap="xs">
      <Title order={3}>{t("proposalsTable.proposals")}</Title>
      <DataTable
        label={t("proposalsTable.proposals")}
        minWidth={680}
        columns={columns}
        query={query}
        loadingRows={2}
        rows={query.data}
        keyOf={({ actionRef }) => actionRef}
        empty={<Text className="quiet">{t("proposalsTable.none")}</Text>}
      />
      <ConfirmDialog
        isOpen={withdrawn !== undefined}
        onClose={() => setWithdrawn(undefined)}
        title={t("proposalsTable.withdrawTitle", { version: String(withdrawn?.version ?? "") })}
        action={t("proposalsTable.withdrawAction")}
        isDangerous
        onConfirm={withdraw}
      >
        {t("proposalsTable.withdrawHelp")}
      </ConfirmDialog>
    </Stack>
  );
}

/**
 * Loads a proposal into the draft of the designer, as one change that can be undone. Changes published since the proposal are kept, except
 * where both changed the same thing: there the proposal wins.
 */
function useOpenDraft(team: string, workflow: string) {
  const { history, change, isDirty, whyNotEdit } = useDraft();
  const client = useQueryClient();
  const navigate = useNavigate();
  const opening = useMutation({
    mutationFn: async ({ actionRef, version }: Proposal) => {
      const [proposal, base] = await Promise.all([
        readProposal(team, workflow, actionRef),
        fetchFresh(client, workflowDraftQuery(team, workflow, version - 1)),
      ]);
      return mergeDrafts(draftOf(base.data), draftOf(proposal.workflow), history.present).draft;
    },
    onSuccess: async (draft) => {
      change(() => draft);
      await navigate({ to: paths.workflow(team, workflow, "design") });
      notifications.show({ message: t("proposalsTable.opened"), color: "blue" });
    },
    onError: (error) => notifications.show({ message: messageOf(error), color: "red" }),
  });
  return {
    whyNot: whyNotEdit ?? (isDirty ? t("proposalsTable.saveFirst") : undefined),
    opens: opening.isPending ? opening.variables.actionRef : undefined,
    open: opening.mutate,
  };
}
