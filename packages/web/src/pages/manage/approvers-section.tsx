import { MultiSelect, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { type ReactNode, useState } from "react";
import { api, call } from "../../api/client.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useMemberChoices } from "../../hooks/use-member-choices.ts";
import { useRenew } from "../../hooks/use-renew.ts";
import { useChangeTeam } from "../../hooks/use-team.ts";
import { t } from "../../texts/team.ts";
import { ActionButton, EditAndDelete } from "../../ui/dialog/action-button.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { FormDialog } from "../../ui/dialog/form-dialog.tsx";
import { ListSection } from "../../ui/list/list-page.tsx";
import { EmptyState } from "../../ui/state/notice.tsx";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import type { ApproverGroup, Team } from "./quota-rows.ts";

/** Groups of people who decide approvals together. A task names the group that must approve. */
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
      {t("approversSection.createGroup")}
    </ActionButton>
  );
  const groups = team.approverGroups;
  const columns: Column<ApproverGroup>[] = [
    { title: t("approversSection.group"), kind: "name", cell: ({ name }) => name },
    { title: t("approversSection.approvers"), cell: approversText },
    { title: t("approversSection.created"), kind: "short", cell: ({ creationDate }) => <TimeText at={creationDate} /> },
    {
      title: t("approversSection.actions"),
      kind: "actions",
      cell: (group) => (
        <EditAndDelete
          of={group.name}
          whyNotEdit={rights.whyNot("team/grant")}
          whyNotDelete={rights.whyNot("team/grant")}
          onEdit={() => setEdited(group)}
          onDelete={() => setDeleted(group)}
        />
      ),
    },
  ];
  return (
    <ListSection note={groups.length > 0 && t("approversSection.approvalNamesGroupNeeds")} actions={groups.length > 0 && create}>
      <DataTable
        label={t("approversSection.approverGroups")}
        minWidth={520}
        columns={columns}
        rows={groups}
        keyOf={({ id }) => id}
        empty={
          <EmptyState title={t("approversSection.noApproverGroupsYet")}>
            <Text className="quiet">{t("approversSection.withoutGroupAnyEditor")}</Text>
            {create}
          </EmptyState>
        }
      />
      {edited !== undefined && (
        <ApproverGroupDialog team={team} known={edited === "new" ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
      <ConfirmDialog
        isOpen={deleted !== undefined}
        onClose={() => setDeleted(undefined)}
        title={t("approversSection.delete", { name: deleted?.name ?? "" })}
        action={t("approversSection.deleteGroup")}
        isDangerous
        onConfirm={remove}
      >
        {t("approversSection.approvalsNameGroupNo")}
      </ConfirmDialog>
    </ListSection>
  );
}

function approversText({ approvers }: ApproverGroup): string {
  return approvers.map(({ name, email }) => name || email).join(", ") || t("approversSection.nobodyApprovalsCantDecided");
}

interface ApproverGroupDialogProps {
  team: Team;
  /** Undefined: a new group. */
  known: ApproverGroup | undefined;
  onClose: () => void;
}

/** Edits the members of a group. The name can't be changed, since workflows refer to the group by it. */
function ApproverGroupDialog({ team, known, onClose }: ApproverGroupDialogProps) {
  const form = useForm({ initialValues: { name: known?.name ?? "", approvers: (known?.approvers ?? []).map(({ id }) => id ?? "") } });
  const { mutateAsync } = useChangeTeam(team.name);
  return (
    <FormDialog
      title={known ? t("approversSection.edit", { name: known.name }) : t("approversSection.createApproverGroup")}
      form={form}
      action={known ? t("approversSection.saveGroup") : t("approversSection.createGroup")}
      places={{ "/approverGroups/0/name": "name", "/approverGroups/0/approvers": "approvers" }}
      onSubmit={({ name, approvers }) => mutateAsync({ approverGroups: [{ name: name.trim(), approvers }] })}
      onClose={onClose}
    >
      <TextInput
        label={t("approversSection.name")}
        description={known ? t("approversSection.nameHelp") : undefined}
        required
        maxLength={200}
        readOnly={known !== undefined}
        data-autofocus
        {...form.getInputProps("name")}
      />
      <ApproverSelect
        team={team.name}
        known={known?.approvers ?? []}
        value={form.values.approvers}
        onChange={(ids) => form.setFieldValue("approvers", ids)}
        error={form.errors["approvers"]}
      />
    </FormDialog>
  );
}

interface ApproverSelectProps {
  team: string;
  known: ApproverGroup["approvers"];
  /** IDs. */
  value: string[];
  onChange: (ids: string[]) => void;
  error: ReactNode;
}

/** Selects approvers among all members of the team. The names of selected people are kept when the search changes. */
function ApproverSelect({ team, known, value, onChange, error }: ApproverSelectProps) {
  const [typed, setTyped] = useState("");
  const [names, setNames] = useState(() => new Map(known.map(({ id, name, email }) => [id, name || email || ""])));
  const chosen = value.map((id) => ({ value: id, label: names.get(id) ?? id }));
  const { data, found, filter } = useMemberChoices(team, typed, ({ id }) => id ?? "", chosen);
  const choose = (ids: string[]) => {
    setNames(new Map([...names, ...found.map(({ value: id, label }) => [id, label] as const)]));
    onChange(ids);
  };
  return (
    <MultiSelect
      label={t("approversSection.approvers")}
      description={t("approversSection.approversHelp")}
      error={error}
      data={data}
      filter={filter}
      value={value}
      onChange={choose}
      {...(value.length === 0 && { placeholder: t("approversSection.chooseMembers") })}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage={t("approversSection.noMemberName")}
    />
  );
}
