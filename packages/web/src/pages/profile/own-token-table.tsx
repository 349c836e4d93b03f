import { Button, Table, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, call } from "../../api/client.ts";
import type { components } from "../../api/schema.generated.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { TimeText } from "../../ui/time-text.tsx";
import classes from "./profile.module.css";

type Token = components["schemas"]["Token"];

/** One token a line, and the way to revoke it. */
export function OwnTokenTable({ tokens }: { tokens: readonly Token[] }) {
  const client = useQueryClient();
  const [revoked, setRevoked] = useState<Token>();
  const revoke = async () => {
    if (revoked === undefined) return;
    await call(api.DELETE("/api/v2/token/{tokenId}", { params: { path: { tokenId: revoked.id } } }));
    await client.invalidateQueries({ queryKey: ["tokens"] });
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by keyboard */}
      <section className={classes.box} tabIndex={0} aria-label="Your tokens">
        <Table horizontalSpacing="sm" verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Token</Table.Th>
              <Table.Th>Made</Table.Th>
              <Table.Th>Last used</Table.Th>
              <Table.Th>Ends</Table.Th>
              <Table.Th>
                <span className="only-heard">Deeds</span>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {tokens.map((token) => (
              <Table.Tr key={token.id}>
                <Table.Td>
                  {token.name}{" "}
                  <Text span size="sm" className="quiet">
                    {token.description}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <TimeText at={token.creationDate} />
                </Table.Td>
                <Table.Td>
                  <TimeText at={token.lastUsedDate} />
                </Table.Td>
                <Table.Td>{token.expirationDate === null ? "Never" : <TimeText at={token.expirationDate} />}</Table.Td>
                <Table.Td ta="right">
                  <Button size="compact-xs" variant="default" aria-label={`Revoke ${token.name}`} onClick={() => setRevoked(token)}>
                    Revoke
                  </Button>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
      <ConfirmDialog
        isOpen={revoked !== undefined}
        onClose={() => setRevoked(undefined)}
        title={`Revoke ${revoked?.name ?? ""}`}
        deed="Revoke the token"
        isDangerous
        onConfirm={revoke}
      >
        Whatever uses it is locked out at once, and it can’t be brought back.
      </ConfirmDialog>
    </>
  );
}
