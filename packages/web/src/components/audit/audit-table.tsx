import { Button, Table, Text } from "@mantine/core";
import type { AuditEntry } from "../../api/queries/audit.ts";
import { TableBox } from "../../ui/table/table-box.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import classes from "./audit.module.css";
import { auditVerb, kindWords } from "./audit-words.ts";

interface AuditTableProps {
  entries: readonly AuditEntry[];
  isInstance: boolean;
  onOpen: (id: string) => void;
}

/** One line a record: when, who, what. */
export function AuditTable({ entries, isInstance, onOpen }: AuditTableProps) {
  return (
    <TableBox label="Audit records" miw={640}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>When</Table.Th>
          <Table.Th>Who</Table.Th>
          <Table.Th>What</Table.Th>
          {isInstance && <Table.Th>Team</Table.Th>}
          <Table.Th>Permission used</Table.Th>
          <Table.Th>
            <span className="only-heard">Details</span>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {entries.map((entry) => (
          <Table.Tr key={entry.id}>
            <Table.Td className={classes.time}>
              <TimeText at={entry.date} />
            </Table.Td>
            <Table.Td>
              <Actor actor={entry.actor} />
            </Table.Td>
            <Table.Td>
              {auditVerb(entry)} {kindWords[entry.object.kind] ?? entry.object.kind} <strong>{entry.object.name ?? entry.object.id}</strong>
            </Table.Td>
            {isInstance && <Table.Td>{entry.team?.name ?? entry.team?.id ?? <span className="quiet">–</span>}</Table.Td>}
            <Table.Td className="code quiet">{entry.action}</Table.Td>
            <Table.Td ta="right">
              <Button size="compact-xs" variant="default" onClick={() => onOpen(entry.id)}>
                Details
              </Button>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </TableBox>
  );
}

/** A person, or a token that acts as itself: then its kind is told. */
export function Actor({ actor }: { actor: AuditEntry["actor"] }) {
  const isPerson = actor.type === "user" || actor.type === "session";
  return (
    <Text size="sm" span>
      {actor.name ?? actor.principal}
      {!isPerson && <span className="quiet"> ({actor.type === "integration" ? "integration" : `${actor.type} token`})</span>}
    </Text>
  );
}
