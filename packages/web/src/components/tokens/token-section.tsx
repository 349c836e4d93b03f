import { Badge, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, call } from "../../api/client.ts";
import { type Token, tokensListed, tokensQuery } from "../../api/queries/identity/tokens.ts";
import { useRenew } from "../../hooks/use-renew.ts";
import { t } from "../../texts/identity/tokens.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { ListSection } from "../../ui/list/list-page.tsx";
import { EmptyState } from "../../ui/state/notice.tsx";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import { CreateTokenDialog } from "./create-token-dialog.tsx";
import { type TokenPlace, useTokenPlace } from "./token-place.ts";

const actsAs: Readonly<Record<TokenPlace["kind"], string>> = {
  team: t("tokenSection.teamTokensActTeam"),
  workflow: t("tokenSection.workflowTokensReachOnly"),
  user: t("tokenSection.personalTokensActIf"),
  global: t("tokenSection.globalTokensActWhole"),
};

/** The tokens of a team, a workflow, a user or the instance: list, create (each is shown once) and revoke them. */
export function TokenSection(props: TokenPlace) {
  const place = useTokenPlace(props);
  const isNobody = props.kind === "user" && place.principal === undefined;
  const query = useQuery({ ...tokensQuery(props.kind, place.principal), enabled: !isNobody });
  const { data } = query;
  const [isCreating, setCreating] = useState(false);
  const [revoked, setRevoked] = useState<Token>();
  if (isNobody)
    return (
      <EmptyState title={t("tokenSection.noPersonalTokens")}>
        <Text className="quiet">{place.whyNotCreate}</Text>
      </EmptyState>
    );
  const create = (
    <ActionButton size="xs" whyNot={place.whyNotCreate} onClick={() => setCreating(true)}>
      {t("tokenSection.createToken")}
    </ActionButton>
  );
  return (
    <ListSection
      note={t("tokenSection.tokensPrograms", { explanation: explanation(props) })}
      actions={data !== undefined && data.content.length > 0 && create}
    >
      <DataTable
        label={t("tokenSection.tokens")}
        minWidth={720}
        columns={tokenColumns(place.whyNotRevoke, setRevoked)}
        query={query}
        rows={data?.content}
        keyOf={({ id }) => id}
        empty={
          <EmptyState title={t("tokenSection.noTokensYet")}>
            <Text className="quiet">{t("tokenSection.scriptsPipelinesCommandLine")}</Text>
            {create}
          </EmptyState>
        }
      />
      {data !== undefined && data.totalElements > tokensListed && (
        <Text size="sm" className="quiet">
          {t("tokenSection.newest", { tokensListed, totalElements: data.totalElements })}
        </Text>
      )}
      {isCreating && <CreateTokenDialog onClose={() => setCreating(false)} kind={props.kind} team={props.team} place={place} />}
      <RevokeTokenDialog token={revoked} onClose={() => setRevoked(undefined)} />
    </ListSection>
  );
}

function explanation({ kind, principal }: TokenPlace): string {
  if (kind === "user" && principal !== undefined) return t("tokenSection.tokensUserActUser");
  return actsAs[kind];
}

/** The permissions of each token, when it was last used and when it expires. The tokens themselves are never shown again. */
function tokenColumns(whyNotRevoke: string | undefined, onRevoke: (token: Token) => void): Column<Token>[] {
  const time = (at: string | null, without: string) => (at === null ? <span className="quiet">{without}</span> : <TimeText at={at} />);
  return [
    { title: t("tokenSection.name"), cell: (token) => <TokenName token={token} /> },
    {
      title: t("tokenSection.permissions"),
      cell: ({ permissions, tasks = [] }) => (
        <code>{[...permissions.flatMap(({ actions }) => actions), ...(tasks.length > 0 ? [`(${tasks.join(", ")})`] : [])].join(" ")}</code>
      ),
    },
    { title: t("tokenSection.lastUsed"), kind: "short", cell: ({ lastUsedDate }) => time(lastUsedDate, t("tokenSection.never")) },
    { title: t("tokenSection.expires"), kind: "short", cell: ({ expirationDate }) => time(expirationDate, t("tokenSection.noExpiry")) },
    { title: t("tokenSection.created"), kind: "short", cell: ({ creationDate }) => <TimeText at={creationDate} /> },
    {
      title: t("tokenSection.revoke"),
      kind: "actions",
      cell: (token) => (
        <ActionButton
          size="compact-xs"
          variant="default"
          whyNot={whyNotRevoke}
          onClick={() => onRevoke(token)}
          aria-label={t("tokenSection.revokeAction", { name: token.name })}
        >
          {t("tokenSection.revoke")}
        </ActionButton>
      ),
    },
  ];
}

function TokenName({ token: { name, description, valid } }: { token: Token }) {
  return (
    <>
      <Group gap="xs" wrap="nowrap">
        <Text size="sm" fw={500}>
          {name}
        </Text>
        {!valid && (
          <Badge size="sm" variant="outline" color="gray">
            {t("tokenSection.expired")}
          </Badge>
        )}
      </Group>
      {description && (
        <Text size="xs" className="quiet">
          {description}
        </Text>
      )}
    </>
  );
}

/** Asks for confirmation before a token is revoked. @param token undefined: the dialog is closed */
function RevokeTokenDialog({ token, onClose }: { token: Token | undefined; onClose: () => void }) {
  const renew = useRenew();
  const revoke = async () => {
    if (token === undefined) return;
    await call(api.DELETE("/api/v2/token/{tokenId}", { params: { path: { tokenId: token.id } } }));
    await renew(["tokens"]);
  };
  return (
    <ConfirmDialog
      isOpen={token !== undefined}
      onClose={onClose}
      title={t("tokenSection.revokeAction", { name: token?.name ?? "" })}
      action={t("tokenSection.revokeToken")}
      isDangerous
      onConfirm={revoke}
    >
      {t("tokenSection.anythingUsesRejected")}
    </ConfirmDialog>
  );
}
