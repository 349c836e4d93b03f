import { Select, Stack, Text, Tooltip } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, call } from "../../api/client.ts";
import { invitationRulesQuery } from "../../api/queries/identity/invitations.ts";
import { rolesQuery } from "../../api/queries/identity/session.ts";
import { type Member, membersQuery } from "../../api/queries/members.ts";
import { roleWord } from "../../components/role-word.ts";
import { useCaller, useRights } from "../../hooks/use-caller.ts";
import { useRenew } from "../../hooks/use-renew.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { useChangeTeam } from "../../hooks/use-team.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/team.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { ListSection, NothingFound } from "../../ui/list/list-page.tsx";
import { SearchField } from "../../ui/list/search-field.tsx";
import { RefusalText } from "../../ui/state/refusal-alert.tsx";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import { InvitationsTable } from "./invitations-table.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import classes from "./manage.module.css";
import type { Team } from "./quota-rows.ts";

const unfiltered = { find: "", page: 0 };
const pageSize = 50;

/** The members of the team and their roles: invite, change a role in place, remove, leave. */
export function MembersSection({ team }: { team: Team }) {
  const caller = useCaller();
  const rights = useRights(team.name);
  const [open, setOpen] = useState<"invite" | "leave">();
  const [removed, setRemoved] = useState<Member>();
  const [{ find, page }, change] = useSearchState(unfiltered);
  const query = useQuery(membersQuery(team.name, { search: String(find), page: Number(page) || 0, limit: pageSize }));
  const { data } = query;
  const owners = useQuery(membersQuery(team.name, { roles: ["owner"], limit: 1 })).data?.totalElements;
  const { data: rules } = useQuery(invitationRulesQuery(team.name));
  const isMember = caller.userId !== null && caller.teams.some(({ id }) => id === team.id);
  const close = () => setOpen(undefined);
  const actions = (
    <>
      <ActionButton
        size="xs"
        variant="default"
        whyNot={isMember ? undefined : t("membersSection.arentMemberTeamAccess")}
        onClick={() => setOpen("leave")}
      >
        {t("membersSection.leaveTeam")}
      </ActionButton>
      <ActionButton size="xs" whyNot={rights.whyNot("team/grant") ?? rules?.whyNot} onClick={() => setOpen("invite")}>
        {t("membersSection.invitePeople")}
      </ActionButton>
    </>
  );
  const columns: Column<Member>[] = [
    { title: t("membersSection.person"), cell: (member) => <Person member={member} isOwn={member.id === caller.userId} /> },
    { title: t("membersSection.role"), cell: (member) => <MemberRole team={team.name} member={member} /> },
    { title: t("membersSection.approverGroups"), cell: (member) => <span className="quiet">{groupsOf(team, member)}</span> },
    {
      title: t("membersSection.actions"),
      kind: "actions",
      cell: (member) => (
        <ActionButton
          size="compact-xs"
          variant="default"
          whyNot={rights.whyNot("team/delete")}
          onClick={() => setRemoved(member)}
          aria-label={t("membersSection.removeAction", { email: String(member.email) })}
        >
          {t("membersSection.remove")}
        </ActionButton>
      ),
    },
  ];
  return (
    <ListSection
      note={owners !== undefined && t("membersSection.note", { members: countText(team.memberCount, owners) })}
      actions={actions}
      filters={
        <SearchField
          label={t("membersSection.findMembers")}
          placeholder={t("membersSection.findMembersPlaceholder")}
          value={String(find)}
          onSearch={(text) => change({ find: text, page: 0 })}
        />
      }
      pages={data && { page: data.number, size: pageSize, total: data.totalElements, onChange: (next) => change({ page: next }) }}
    >
      <DataTable
        label={t("membersSection.members")}
        minWidth={480}
        columns={columns}
        query={query}
        rows={data?.content}
        keyOf={({ id, email }) => id ?? email ?? ""}
        empty={
          find === "" ? (
            <Text className="quiet">{t("membersSection.noMembers")}</Text>
          ) : (
            <NothingFound things={t("membersSection.things")} search={String(find)} onClear={() => change(unfiltered)} />
          )
        }
      />
      {rights.may("team/grant") && <InvitationsTable team={team.name} />}
      {open === "invite" && <InviteDialog team={team.name} onClose={close} />}
      <LeaveTeamDialog team={team} isOpen={open === "leave"} onClose={close} />
      <RemoveMemberDialog team={team} member={removed} onClose={() => setRemoved(undefined)} />
    </ListSection>
  );
}

function Person({ member: { name, email }, isOwn }: { member: Member; isOwn: boolean }) {
  return (
    <>
      <Text size="sm" fw={500}>
        {name || email} {isOwn && <span className="quiet">{t("membersSection.you")}</span>}
      </Text>
      {name && name !== email && (
        <Text size="xs" className="quiet">
          {email}
        </Text>
      )}
    </>
  );
}

function countText(count: number, owners: number): string {
  return t("membersSection.memberMembersThemOwner", { count, owners });
}

function groupsOf({ approverGroups }: Team, { id }: Member): string {
  return (
    approverGroups
      .filter(({ approvers }) => approvers.some((one) => one.id === id))
      .map(({ name }) => name)
      .join(", ") || "–"
  );
}

/** Asks for confirmation before the caller leaves the team, then opens the home page. */
function LeaveTeamDialog({ team, isOpen, onClose }: { team: Team; isOpen: boolean; onClose: () => void }) {
  const renew = useRenew();
  const navigate = useNavigate();
  const leave = async () => {
    await call(api.DELETE("/api/v2/team/{team}/leave", { params: { path: { team: team.name } } }));
    await navigate({ to: paths.home() });
    await renew(["caller", "teams"]);
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t("membersSection.leave", { displayName: team.displayName })}
      action={t("membersSection.leaveTeam")}
      isDangerous
      onConfirm={leave}
    >
      {t("membersSection.loseAccessImmediatelyLeave")}
    </ConfirmDialog>
  );
}

/** Asks for confirmation before a member is removed. @param member undefined: the dialog is closed */
function RemoveMemberDialog({ team, member, onClose }: { team: Team; member: Member | undefined; onClose: () => void }) {
  const renew = useRenew();
  const remove = async () => {
    await call(api.DELETE("/api/v2/team/{team}/members", { params: { path: { team: team.name } }, body: [{ id: member?.id ?? null }] }));
    await renew(["team"]);
  };
  return (
    <ConfirmDialog
      isOpen={member !== undefined}
      onClose={onClose}
      title={t("membersSection.removeAction", { email: member?.email ?? "" })}
      action={t("membersSection.removeMember")}
      isDangerous
      onConfirm={remove}
    >
      {t("membersSection.theyLoseAccessImmediately")}
    </ConfirmDialog>
  );
}

/** A member's role, changed in place. If the service rejects a change, its error is shown below. */
function MemberRole({ team, member }: { team: string; member: Member }) {
  const rights = useRights(team);
  const { data: roles = [] } = useQuery(rolesQuery);
  const { mutate, error, isPending } = useChangeTeam(team);
  const why = rights.whyNot("team/write");
  if (why !== undefined)
    return (
      <Tooltip label={why} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
        <Text size="sm" span tabIndex={0}>
          {roleWord(member.role)}
        </Text>
      </Tooltip>
    );
  const choices = roles.map(({ name, permissions }) => ({
    value: name,
    label: roleWord(name),
    disabled: !permissions.every((one) => rights.may(one)),
  }));
  return (
    <Stack gap={4}>
      <Select
        aria-label={t("membersSection.role2", { email: String(member.email) })}
        size="xs"
        className={classes.role}
        data={choices}
        value={member.role ?? null}
        allowDeselect={false}
        disabled={isPending}
        onChange={(role) => role && mutate({ members: [{ id: member.id ?? null, role }] })}
      />
      <RefusalText error={error} />
    </Stack>
  );
}
