import { Group, Stack, Table, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, call } from "../../api/client.ts";
import { workflowTokensQuery } from "../../api/queries/workflows.ts";
import type { components } from "../../api/schema.generated.ts";
import { useRights } from "../../hooks/use-caller.ts";
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
          A workflow token can reach only the runs and webhooks of this workflow.
        </Text>
        <ActionButton size="xs" whyNot={rights.whyNot("token/write")} onClick={() => setMaking(true)}>
          Create token
        </ActionButton>
      </Group>
      <NotLoaded query={query} label="Loading tokens" rows={3} />
      {data !== undefined && data.content.length === 0 && <EmptyState title="No tokens" />}
      {data !== undefined && data.content.length > 0 && (
        <TokenTable tokens={data.content} whyNot={rights.whyNot("token/delete")} onRevoke={setRevoked} />
      )}
      {isMaking && <TokenDialog workflowId={id} onMade={refresh} onClose={() => setMaking(false)} />}
      {revoked && (
        <ConfirmDialog
          isOpen
          title={`Revoke ${revoked.name}`}
          action="Revoke token"
          isDangerous
          onClose={() => setRevoked(undefined)}
          onConfirm={() => revoke(revoked)}
        >
          Anything that uses it is rejected immediately. This can't be undone.
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
    <section className={classes.box} aria-label="Tokens" tabIndex={0}>
      <Table verticalSpacing={6} miw={640}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Permissions</Table.Th>
            <Table.Th>Last used</Table.Th>
            <Table.Th>Expires</Table.Th>
            <Table.Th>
              <span className="only-heard">Actions</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {tokens.map((token) => (
            <Table.Tr key={token.id}>
              <Table.Td>
                {token.name}
                {!token.valid && <span className="quiet"> (expired)</span>}
              </Table.Td>
              <Table.Td>
                <code>{token.permissions.flatMap(({ actions }) => actions).join(", ")}</code>
              </Table.Td>
              <Table.Td>{token.lastUsedDate === null ? "Never" : <TimeText at={token.lastUsedDate} />}</Table.Td>
              <Table.Td>{token.expirationDate === null ? "Never" : <TimeText at={token.expirationDate} />}</Table.Td>
              <Table.Td ta="right">
                <ActionButton
                  size="compact-xs"
                  variant="default"
                  whyNot={whyNot}
                  aria-label={`Revoke ${token.name}`}
                  onClick={() => onRevoke(token)}
                >
                  Revoke
                </ActionButton>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
