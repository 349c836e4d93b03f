import { Group, Stack, Table, Text } from "@mantine/core";
import { useState } from "react";
import { api, call } from "../../api/client.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useRenew } from "../../hooks/use-renew.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { EditAndDelete } from "../../ui/dialog/edit-and-delete.tsx";
import { EmptyState } from "../../ui/state/empty-state.tsx";
import { TableBox } from "../../ui/table/table-box.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import { ApproverGroupDialog } from "./approver-group-dialog.tsx";
import type { ApproverGroup, Team } from "./team-types.ts";

/** Groups of people who decide approvals together; a task names the group that must approve. */
export function ApproversSection({ team }: { team: Team }) {
  const renew = useRenew();
  const rights = useRights(team.name);
  const [edited, setEdited] = useState<ApproverGroup | "new">();
  const [deleted, setDeleted] = useState<ApproverGroup>();
  const remove = async () => {
    await call(api.DELETE("/api/v2/team/{team}/approvers", { params: { path: { team: team.name } }, body: [deleted?.id ?? ""] }));
    await renew(["team"]);
  };
  const create = (
    <ActionButton size="xs" whyNot={rights.whyNot("team/grant")} onClick={() => setEdited("new")}>
      Create group
    </ActionButton>
  );
  const groups = team.approverGroups;
  return (
    <Stack gap="sm">
      {groups.length > 0 && (
        <Group justify="space-between" gap="xs">
          <Text size="sm" className="quiet">
            An approval that names a group needs votes of members who were in it when the approval was opened.
          </Text>
          {create}
        </Group>
      )}
      {groups.length === 0 ? (
        <EmptyState title="No approver groups yet">
          <Text className="quiet">Without a group, any editor or owner can decide an approval.</Text>
          {create}
        </EmptyState>
      ) : (
        <GroupTable team={team} onEdit={setEdited} onDelete={setDeleted} />
      )}
      <ApproverGroupDialog team={team} group={edited} onClose={() => setEdited(undefined)} />
      <ConfirmDialog
        isOpen={deleted !== undefined}
        onClose={() => setDeleted(undefined)}
        title={`Delete ${deleted?.name ?? ""}`}
        action="Delete group"
        isDangerous
        onConfirm={remove}
      >
        Approvals that name the group can no longer start. A group can't be deleted while open approvals need it.
      </ConfirmDialog>
    </Stack>
  );
}

interface GroupTableProps {
  team: Team;
  onEdit: (group: ApproverGroup) => void;
  onDelete: (group: ApproverGroup) => void;
}

function GroupTable({ team, onEdit, onDelete }: GroupTableProps) {
  const rights = useRights(team.name);
  return (
    <TableBox label="Approver groups" miw={520}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Group</Table.Th>
          <Table.Th>Approvers</Table.Th>
          <Table.Th>Created</Table.Th>
          <Table.Th>
            <span className="only-heard">Actions</span>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {team.approverGroups.map((group) => (
          <Table.Tr key={group.id}>
            <Table.Td fw={500}>{group.name}</Table.Td>
            <Table.Td>{approversText(group)}</Table.Td>
            <Table.Td style={{ whiteSpace: "nowrap" }}>
              <TimeText at={group.creationDate} />
            </Table.Td>
            <Table.Td>
              <EditAndDelete
                of={group.name}
                whyNotEdit={rights.whyNot("team/grant")}
                whyNotDelete={rights.whyNot("team/grant")}
                onEdit={() => onEdit(group)}
                onDelete={() => onDelete(group)}
              />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </TableBox>
  );
}

function approversText({ approvers }: ApproverGroup): string {
  return approvers.map(({ name, email }) => name || email).join(", ") || "Nobody: approvals for it can't be decided";
}
