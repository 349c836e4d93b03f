import { Group, Stack, Table, Text } from "@mantine/core";
import { useState } from "react";
import { useCaller, useRights } from "../../hooks/use-caller.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { TableBox } from "../../ui/table/table-box.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { LeaveTeamDialog } from "./leave-team-dialog.tsx";
import { MemberRole } from "./member-role.tsx";
import { RemoveMemberDialog } from "./remove-member-dialog.tsx";
import type { Member, Team } from "./team-types.ts";

/** The people of the team and what each may: invite, change a role in place, remove, leave. */
export function MembersSection({ team }: { team: Team }) {
  const caller = useCaller();
  const rights = useRights(team.name);
  const [open, setOpen] = useState<"invite" | "leave">();
  const [removed, setRemoved] = useState<Member>();
  const isMember = team.members.some(({ id }) => id === caller.userId);
  const close = () => setOpen(undefined);
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <Text size="sm" className="quiet">
          {countOf(team.members)}. Readers view, editors edit and run, owners manage.
        </Text>
        <Group gap="xs">
          <ActionButton
            size="xs"
            variant="default"
            whyNot={isMember ? undefined : "You aren't a member of this team. Your access comes from your role on the instance."}
            onClick={() => setOpen("leave")}
          >
            Leave team
          </ActionButton>
          <ActionButton size="xs" whyNot={rights.whyNot("team/write")} onClick={() => setOpen("invite")}>
            Invite people
          </ActionButton>
        </Group>
      </Group>
      <MemberTable team={team} ownId={caller.userId} whyNotRemove={rights.whyNot("team/delete")} onRemove={setRemoved} />
      <InviteDialog team={team.name} isOpen={open === "invite"} onClose={close} />
      <LeaveTeamDialog team={team} isOpen={open === "leave"} onClose={close} />
      <RemoveMemberDialog team={team} member={removed} onClose={() => setRemoved(undefined)} />
    </Stack>
  );
}

function countOf(members: readonly Member[]): string {
  const owners = members.filter(({ role }) => role === "owner").length;
  return `${members.length} ${members.length === 1 ? "member" : "members"}, ${owners} of them ${owners === 1 ? "owner" : "owners"}`;
}

interface MemberTableProps {
  team: Team;
  ownId: string | null;
  whyNotRemove: string | undefined;
  onRemove: (member: Member) => void;
}

function MemberTable({ team, ownId, whyNotRemove, onRemove }: MemberTableProps) {
  return (
    <TableBox label="Members" miw={480}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Person</Table.Th>
          <Table.Th>Role</Table.Th>
          <Table.Th>Approver groups</Table.Th>
          <Table.Th>
            <span className="only-heard">Actions</span>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {team.members.map((member) => (
          <Table.Tr key={member.id}>
            <Table.Td>
              <Text size="sm" fw={500}>
                {member.name || member.email} {member.id === ownId && <span className="quiet">(you)</span>}
              </Text>
              {member.name && member.name !== member.email && (
                <Text size="xs" className="quiet">
                  {member.email}
                </Text>
              )}
            </Table.Td>
            <Table.Td>
              <MemberRole team={team.name} member={member} />
            </Table.Td>
            <Table.Td className="quiet">{groupsOf(team, member)}</Table.Td>
            <Table.Td ta="right">
              <ActionButton
                size="compact-xs"
                variant="default"
                whyNot={whyNotRemove}
                onClick={() => onRemove(member)}
                aria-label={`Remove ${member.email}`}
              >
                Remove
              </ActionButton>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </TableBox>
  );
}

function groupsOf({ approverGroups }: Team, { id }: Member): string {
  return (
    approverGroups
      .filter(({ approvers }) => approvers.some((one) => one.id === id))
      .map(({ name }) => name)
      .join(", ") || "–"
  );
}
