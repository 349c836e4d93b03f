import type { components } from "@millrace/client/schema.generated.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, call } from "../../api/client.ts";
import { workflowTokensQuery } from "../../api/queries/workflow/workflows.ts";
import type { SectionProps } from "../../editor/draft/use-section-draft.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useRenew } from "../../hooks/use-renew.ts";
import { t } from "../../texts/workflow/configure.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { ListSection } from "../../ui/list/list-page.tsx";
import { EmptyState } from "../../ui/state/notice.tsx";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import { TokenDialog } from "./token-dialog.tsx";

type Token = components["schemas"]["Token"];

/** Tokens that give access to this workflow only, for external programs that start it. */
export function TokensSection({ team, workflow }: SectionProps) {
  const id = workflow.id ?? "";
  const query = useQuery(workflowTokensQuery(team, id));
  const [isMaking, setMaking] = useState(false);
  const [revoked, setRevoked] = useState<Token>();
  const renew = useRenew();
  const rights = useRights(team);
  const revoke = async (token: Token) => {
    await call(api.DELETE("/api/v2/token/{tokenId}", { params: { path: { tokenId: token.id } } }));
    await renew(["workflow"], team, id, "tokens");
  };
  const columns: Column<Token>[] = [
    {
      title: t("tokensSection.name"),
      cell: ({ name, valid }) => (
        <>
          {name}
          {!valid && <span className="quiet"> {t("tokensSection.expired")}</span>}
        </>
      ),
    },
    {
      title: t("tokensSection.permissions"),
      cell: ({ permissions }) => <code>{permissions.flatMap(({ actions }) => actions).join(", ")}</code>,
    },
    {
      title: t("tokensSection.lastUsed"),
      kind: "short",
      cell: ({ lastUsedDate: at }) => (at === null ? t("tokensSection.never") : <TimeText at={at} />),
    },
    {
      title: t("tokensSection.expires"),
      kind: "short",
      cell: ({ expirationDate: at }) => (at === null ? t("tokensSection.never") : <TimeText at={at} />),
    },
    {
      title: t("tokensSection.actions"),
      kind: "actions",
      cell: (token) => (
        <ActionButton
          size="compact-xs"
          variant="default"
          whyNot={rights.whyNot("token/delete")}
          aria-label={t("tokensSection.revoke", { name: token.name })}
          onClick={() => setRevoked(token)}
        >
          {t("tokensSection.revokeAction")}
        </ActionButton>
      ),
    },
  ];
  return (
    <ListSection
      note={t("tokensSection.workflowTokenReachOnly")}
      actions={
        <ActionButton size="xs" whyNot={rights.whyNot("token/write")} onClick={() => setMaking(true)}>
          {t("tokensSection.createToken")}
        </ActionButton>
      }
    >
      <DataTable
        label={t("tokensSection.tokens")}
        minWidth={640}
        columns={columns}
        query={query}
        loadingRows={3}
        rows={query.data?.content}
        keyOf={({ id: token }) => token}
        empty={<EmptyState title={t("tokensSection.noTokens")} />}
      />
      {isMaking && <TokenDialog team={team} workflowId={id} onClose={() => setMaking(false)} />}
      {revoked && (
        <ConfirmDialog
          isOpen
          title={t("tokensSection.revoke", { name: revoked.name })}
          action={t("tokensSection.revokeToken")}
          isDangerous
          onClose={() => setRevoked(undefined)}
          onConfirm={() => revoke(revoked)}
        >
          {t("tokensSection.anythingUsesRejected")}
        </ConfirmDialog>
      )}
    </ListSection>
  );
}
