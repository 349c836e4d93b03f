import { Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, call } from "../../../api/client.ts";
import { allTeamsQuery, type Team, teamsPageSize } from "../../../api/queries/identity/session.ts";
import { HowTo } from "../../../components/how-to/how-to.tsx";
import { curlCommand } from "../../../components/how-to/set-up-command.ts";
import { useRights } from "../../../hooks/use-caller.ts";
import { useApiMutation, useRenew } from "../../../hooks/use-renew.ts";
import { useSearchState } from "../../../hooks/use-search-state.ts";
import { paths } from "../../../paths.ts";
import { t } from "../../../texts/settings/administration.ts";
import { ActionButton } from "../../../ui/dialog/action-button.tsx";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";
import { FormDialog } from "../../../ui/dialog/form-dialog.tsx";
import { numberText } from "../../../ui/format.ts";
import { ListPage, NothingFound } from "../../../ui/list/list-page.tsx";
import { FilterSelect, SearchField } from "../../../ui/list/search-field.tsx";
import { StateMark } from "../../../ui/mark/state-mark.tsx";
import { EmptyState } from "../../../ui/state/notice.tsx";
import { type Column, DataTable } from "../../../ui/table/data-table.tsx";
import { RowLink } from "../../../ui/table/scroll-box.tsx";
import { TimeText } from "../../../ui/time/time-text.tsx";
import { RowMenu } from "../row-menu.tsx";
import { PermissionsDialog } from "./permissions-dialog.tsx";
import { QuotasDialog } from "./quotas-dialog.tsx";

const commands = [
  { label: t("teamsSection.listTeams"), command: curlCommand("GET", "/api/v2/team/query?limit=100&page=0") },
  {
    label: t("teamsSection.createTeam"),
    command: curlCommand("POST", "/api/v2/team", { name: "the-hawks", displayName: t("teamsSection.hawks") }),
  },
];
const statuses = [
  ["active", t("teamsSection.active")],
  ["inactive", t("teamsSection.inactive")],
] as const;
const unfiltered = { find: "", status: "", page: 0 };

/** All teams of the instance, with how much of their quotas they use. */
export function TeamsSection() {
  const [{ find, status, page }, change] = useSearchState(unfiltered);
  const query = useQuery(allTeamsQuery({ search: String(find), status, page }));
  const { data } = query;
  const [open, setOpen] = useState<"create" | { quotasOf: Team } | { permissionsOf: Team } | { statusOf: Team }>();
  const close = () => setOpen(undefined);
  const isFiltered = find !== "" || status !== "";
  const create = (
    <ActionButton size="xs" whyNot={useRights().whyNot("team/write")} onClick={() => setOpen("create")}>
      {t("teamsSection.createTeamAction")}
    </ActionButton>
  );
  return (
    <ListPage
      title={t("teamsSection.teams")}
      detail={data && !isFiltered && countText(data.totalElements)}
      actions={
        <>
          <HowTo title={t("teamsSection.teamsApi")} commands={commands} />
          {create}
        </>
      }
      filters={
        <>
          <SearchField
            label={t("teamsSection.findTeams")}
            placeholder={t("teamsSection.findTeamsPlaceholder")}
            width={240}
            value={String(find)}
            onSearch={(text) => change({ find: text, page: 0 })}
          />
          <FilterSelect
            label={t("teamsSection.status")}
            any={t("teamsSection.anyStatus")}
            choices={statuses}
            value={status}
            onChange={(next) => change({ status: next, page: 0 })}
          />
        </>
      }
      pages={data && { page, size: teamsPageSize, total: data.totalElements, onChange: (next) => change({ page: next }) }}
    >
      <DataTable
        label={t("teamsSection.teams")}
        minWidth={840}
        query={query}
        rows={data?.content}
        keyOf={({ id }) => id}
        columns={[
          ...teamColumns,
          {
            title: t("teamsSection.actions"),
            kind: "actions",
            cell: (team) => (
              <TeamMenu
                team={team}
                onQuotas={() => setOpen({ quotasOf: team })}
                onPermissions={() => setOpen({ permissionsOf: team })}
                onStatus={() => setOpen({ statusOf: team })}
              />
            ),
          },
        ]}
        empty={
          isFiltered ? (
            <NothingFound things={t("teamsSection.teams2")} search={String(find)} onClear={() => change(unfiltered)} />
          ) : (
            <EmptyState title={t("teamsSection.noTeamsYet")}>
              <Text className="quiet">{t("teamsSection.teamOwnsWorkflowsTasks")}</Text>
              {create}
            </EmptyState>
          )
        }
      />
      {open === "create" && <CreateTeamDialog onClose={close} />}
      {typeof open === "object" && "quotasOf" in open && <QuotasDialog team={open.quotasOf} onClose={close} />}
      {typeof open === "object" && "permissionsOf" in open && <PermissionsDialog team={open.permissionsOf} onClose={close} />}
      <TeamStatusDialog team={typeof open === "object" && "statusOf" in open ? open.statusOf : undefined} onClose={close} />
    </ListPage>
  );
}

function countText(total: number): string {
  return t("teamsSection.teamTeams", { total });
}

/** The team, whether it is active, and how much of its quotas is used. */
const teamColumns: Column<Team>[] = [
  {
    title: t("teamsSection.team"),
    cell: ({ name, displayName }) => (
      <>
        <RowLink to={paths.workflows(name)}>{displayName || name}</RowLink>
        {displayName !== name && (
          <Text span size="sm" className="quiet" ml="xs">
            {name}
          </Text>
        )}
      </>
    ),
  },
  {
    title: t("teamsSection.status"),
    kind: "short",
    cell: ({ status }) => (
      <StateMark
        {...(status === "active" ? { tone: "on", word: t("teamsSection.active") } : { tone: "rest", word: t("teamsSection.inactive") })}
      />
    ),
  },
  { title: t("teamsSection.members"), kind: "number", cell: ({ memberCount }) => numberText(memberCount) },
  {
    title: t("teamsSection.workflows"),
    kind: "number",
    cell: ({ quotas }) => usageText(quotas.currentWorkflowCount, quotas.maxWorkflowCount),
  },
  { title: t("teamsSection.runsMonth"), kind: "number", cell: ({ quotas }) => usageText(quotas.currentRuns, quotas.maxWorkflowRunMonthly) },
  {
    title: t("teamsSection.runningNow"),
    kind: "number",
    cell: ({ quotas }) => usageText(quotas.currentConcurrentRuns, quotas.maxConcurrentRuns),
  },
  { title: t("teamsSection.created"), kind: "short", cell: ({ creationDate }) => <TimeText at={creationDate} /> },
];

const unlimited = 1_000_000_000;

/** `3 of 25`; only the number when there is no limit. */
function usageText(used: number, max: number | null | undefined): string {
  const shown = numberText(used);
  return max === null || max === undefined || max >= unlimited ? shown : t("teamsSection.of", { shown, max });
}

interface TeamMenuProps {
  team: Team;
  onQuotas: () => void;
  onPermissions: () => void;
  onStatus: () => void;
}

function TeamMenu({ team, onQuotas, onPermissions, onStatus }: TeamMenuProps) {
  const whyNot = useRights(team.name).whyNot("team/write");
  const navigate = useNavigate();
  const isActive = team.status === "active";
  return (
    <RowMenu
      of={team.name}
      actions={[
        { label: t("teamsSection.openWorkflows"), onClick: () => void navigate({ to: paths.workflows(team.name) }) },
        { label: t("teamsSection.manageMembersSettings"), onClick: () => void navigate({ to: paths.manage(team.name) }) },
        { label: t("teamsSection.quotas"), onClick: onQuotas, whyNot },
        { label: t("teamsSection.permissions"), onClick: onPermissions, whyNot },
        { label: isActive ? t("teamsSection.deactivate") : t("teamsSection.activate"), onClick: onStatus, whyNot, isDangerous: isActive },
      ]}
    />
  );
}

/** Deactivates a team, which stops everything in it, or activates it again. */
function TeamStatusDialog({ team, onClose }: { team: Team | undefined; onClose: () => void }) {
  const renew = useRenew();
  const isActive = team?.status === "active";
  const change = async () => {
    if (team === undefined) return;
    const body = { status: isActive ? "inactive" : "active" };
    await call(api.PATCH("/api/v2/team/{team}", { params: { path: { team: team.id } }, body }));
    await renew(["teams"]);
  };
  return (
    <ConfirmDialog
      isOpen={team !== undefined}
      onClose={onClose}
      title={t(isActive ? "teamsSection.deactivateNamed" : "teamsSection.activateNamed", { displayName: team?.displayName ?? "" })}
      action={isActive ? t("teamsSection.deactivateTeam") : t("teamsSection.activateTeam")}
      isDangerous={isActive}
      onConfirm={change}
    >
      {isActive ? t("teamsSection.noRunScheduleWebhook") : t("teamsSection.workflowsRunAgainSchedules")}
    </ConfirmDialog>
  );
}

interface TeamValues {
  name: string;
  owner: string;
}

/** Creates a team with a name, and optionally with another user as its first owner. */
function CreateTeamDialog({ onClose }: { onClose: () => void }) {
  const form = useForm<TeamValues>({ initialValues: { name: "", owner: "" } });
  const create = useApiMutation({
    changes: ["teams", "caller"],
    toast: (team) => t("createTeamDialog.teamCreated", { name: team.name }),
    mutationFn: ({ name, owner }: TeamValues) => {
      const members = owner.trim() === "" ? [] : [{ email: owner.trim(), role: "owner" }];
      return call(api.POST("/api/v2/team", { body: { name, displayName: name.trim(), members } }));
    },
  });
  return (
    <FormDialog
      title={t("createTeamDialog.createTeam")}
      form={form}
      action={t("createTeamDialog.createTeam")}
      places={{ "/displayName": "name", "/members": "owner" }}
      onSubmit={create.mutateAsync}
      onClose={onClose}
    >
      <TextInput
        label={t("createTeamDialog.name")}
        description={t("createTeamDialog.nameHelp")}
        required
        withAsterisk={false}
        data-autofocus
        maxLength={128}
        {...form.getInputProps("name")}
      />
      <TextInput
        label={t("createTeamDialog.owner")}
        description={t("createTeamDialog.ownerHelp")}
        type="email"
        {...form.getInputProps("owner")}
      />
    </FormDialog>
  );
}
