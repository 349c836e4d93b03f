import { Group, Stack, Table, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, call } from "../../api/client.ts";
import { workflowTokensQuery } from "../../api/queries/workflows.ts";
import type { components } from "../../api/schema.generated.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { t } from "../../texts/configure.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { EmptyState } from "../../ui/state/empty-state.tsx";
import { NotLoaded } from "../../ui/state/not-loaded.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import classes from "./configure.module.css";
import type { SectionProps } from "./section.ts";
import { TokenDialog } from "./token-dialog.tsx";

type Token = components["schemas"]["Token"];

/** Credentials that reach this workflow and nothing else: for what starts it from outside. */
export function TokensSection({ team, workflow }: SectionProps) {
  const id = workflow.id ?? "";
  const query = useQuery(workflowTokensQuery(team, id));
  const { data } = query;
  const [isMaking, setMaking] = useState(false);
  const [revoked, setRevoked] = useState<Token>();
  const client = useQueryClient();
  const rights = useRights(team);
  const refresh = () => client.invalidateQueries({ queryKey: workflowTokensQuery(team, id).queryKey });
  const revoke = async (token: Token) => {
    await call(api.DELETE("/api/v2/token/{tokenId}", { params: { path: { tokenId: token.id } } }));
    await refresh();
  };
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text size="sm" className="quiet">
          {t("tokensSection.workflowTokenReachOnly")}
        </Text>
        <ActionButton size="xs" whyNot={rights.whyNot("token/write")} onClick={() => setMaking(true)}>
          {t("tokensSection.createToken")}
        </ActionButton>
      </Group>
      <NotLoaded query={query} label={t("tokensSection.loadingTokens")} rows={3} />
      {data !== undefined && data.content.length === 0 && <EmptyState title={t("tokensSection.noTokens")} />}
      {data !== undefined && data.content.length > 0 && (
        <TokenTable tokens={data.content} whyNot={rights.whyNot("token/delete")} onRevoke={setRevoked} />
      )}
      {isMaking && <TokenDialog workflowId={id} onMade={refresh} onClose={() => setMaking(false)} />}
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
    </Stack>
  );
}

interface TokenTableProps {
  tokens: readonly Token[];
  whyNot: string | undefined;
  onRevoke: (token: Token) => void;
}

function TokenTable({ tokens, whyNot, onRevoke }: TokenTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={classes.box} aria-label={t("tokensSection.tokens")} tabIndex={0}>
      <Table verticalSpacing={6} miw={640}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("tokensSection.name")}</Table.Th>
            <Table.Th>{t("tokensSection.permissions")}</Table.Th>
            <Table.Th>{t("tokensSection.lastUsed")}</Table.Th>
            <Table.Th>{t("tokensSection.expires")}</Table.Th>
            <Table.Th>
              <span className="only-heard">{t("tokensSection.actions")}</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {tokens.map((token) => (
            <Table.Tr key={token.id}>
              <Table.Td>
                {token.name}
                {!token.valid && <span className="quiet"> {t("tokensSection.expired")}</span>}
              </Table.Td>
              <Table.Td>
                <code>{token.permissions.flatMap(({ actions }) => actions).join(", ")}</code>
              </Table.Td>
              <Table.Td>{token.lastUsedDate === null ? t("tokensSection.never") : <TimeText at={token.lastUsedDate} />}</Table.Td>
              <Table.Td>{token.expirationDate === null ? t("tokensSection.never") : <TimeText at={token.expirationDate} />}</Table.Td>
              <Table.Td ta="right">
                <ActionButton
                  size="compact-xs"
                  variant="default"
                  whyNot={whyNot}
                  aria-label={t("tokensSection.revoke", { name: token.name })}
                  onClick={() => onRevoke(token)}
                >
                  {t("tokensSection.revokeAction")}
                </ActionButton>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
