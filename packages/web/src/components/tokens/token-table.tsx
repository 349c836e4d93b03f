import { Badge, Group, Table, Text } from "@mantine/core";
import type { Token } from "../../api/queries/tokens.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { TableBox } from "../../ui/table/table-box.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import classes from "./token-table.module.css";

interface TokenTableProps {
  tokens: readonly Token[];
  whyNotRevoke: string | undefined;
  onRevoke: (token: Token) => void;
}

/** What each may do, when it was last used and when it ends; the tokens themselves are never shown again. */
export function TokenTable({ tokens, whyNotRevoke, onRevoke }: TokenTableProps) {
  return (
    <TableBox label="Tokens" miw={720}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th>Permissions</Table.Th>
          <Table.Th>Last used</Table.Th>
          <Table.Th>Expires</Table.Th>
          <Table.Th>Created</Table.Th>
          <Table.Th>
            <span className="only-heard">Revoke</span>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {tokens.map((token) => (
          <TokenRow key={token.id} token={token} whyNotRevoke={whyNotRevoke} onRevoke={() => onRevoke(token)} />
        ))}
      </Table.Tbody>
    </TableBox>
  );
}

function TokenRow({ token, whyNotRevoke, onRevoke }: { token: Token; whyNotRevoke: string | undefined; onRevoke: () => void }) {
  const { name, description, valid, lastUsedDate, expirationDate, creationDate, permissions } = token;
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="xs" wrap="nowrap">
          <Text size="sm" fw={500}>
            {name}
          </Text>
          {!valid && (
            <Badge size="sm" variant="outline" color="gray">
              Expired
            </Badge>
          )}
        </Group>
        {description && (
          <Text size="xs" className="quiet">
            {description}
          </Text>
        )}
      </Table.Td>
      <Table.Td className={classes.permissions}>{permissions.flatMap(({ actions }) => actions).join(" ")}</Table.Td>
      <Table.Td className={classes.time}>
        {lastUsedDate === null ? <span className="quiet">Never</span> : <TimeText at={lastUsedDate} />}
      </Table.Td>
      <Table.Td className={classes.time}>
        {expirationDate === null ? <span className="quiet">No expiry</span> : <TimeText at={expirationDate} />}
      </Table.Td>
      <Table.Td className={classes.time}>
        <TimeText at={creationDate} />
      </Table.Td>
      <Table.Td ta="right">
        <ActionButton size="compact-xs" variant="default" whyNot={whyNotRevoke} onClick={onRevoke} aria-label={`Revoke ${name}`}>
          Revoke
        </ActionButton>
      </Table.Td>
    </Table.Tr>
  );
}
