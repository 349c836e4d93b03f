import { MultiSelect, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { api, call } from "../../api/client.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useChangeTeam } from "../../hooks/use-change-team.ts";
import { useRenew } from "../../hooks/use-renew.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { EditAndDelete } from "../../ui/dialog/edit-and-delete.tsx";
import { FormDialog } from "../../ui/dialog/form-dialog.tsx";
import { ListSection } from "../../ui/list/list-section.tsx";
import { EmptyState } from "../../ui/state/empty-state.tsx";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
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
  const columns: Column<ApproverGroup>[] = [
    { title: "Group", kind: "name", cell: ({ name }) => name },
    { title: "Approvers", cell: approversText },
    { title: "Created", kind: "short", cell: ({ creationDate }) => <TimeText at={creationDate} /> },
    {
      title: "Actions",
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
    <ListSection
      note={groups.length > 0 && "An approval that names a group needs votes of members who were in it when the approval was opened."}
      actions={groups.length > 0 && create}
    >
      <DataTable
        label="Approver groups"
        minWidth={520}
        columns={columns}
        rows={groups}
        keyOf={({ id }) => id}
        empty={
          <EmptyState title="No approver groups yet">
            <Text className="quiet">Without a group, any editor or owner can decide an approval.</Text>
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
        title={`Delete ${deleted?.name ?? ""}`}
        action="Delete group"
        isDangerous
        onConfirm={remove}
      >
        Approvals that name the group can no longer start. A group can't be deleted while open approvals need it.
      </ConfirmDialog>
    </ListSection>
  );
}

function approversText({ approvers }: ApproverGroup): string {
  return approvers.map(({ name, email }) => name || email).join(", ") || "Nobody: approvals for it can't be decided";
}

interface ApproverGroupDialogProps {
  team: Team;
  /** undefined: a new one. */
  known: ApproverGroup | undefined;
  onClose: () => void;
}

/** Who is in a group. Its name is how workflows find it, so it stays. */
function ApproverGroupDialog({ team, known, onClose }: ApproverGroupDialogProps) {
  const form = useForm({ initialValues: { name: known?.name ?? "", approvers: (known?.approvers ?? []).map(({ id }) => id ?? "") } });
  const { mutateAsync } = useChangeTeam(team.name);
  return (
    <FormDialog
      title={known ? `Edit ${known.name}` : "Create approver group"}
      form={form}
      action={known ? "Save group" : "Create group"}
      places={{ "/approverGroups/0/name": "name", "/approverGroups/0/approvers": "approvers" }}
      onSubmit={({ name, approvers }) => mutateAsync({ approverGroups: [{ name: name.trim(), approvers }] })}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description={known ? "The name can't be changed, because workflows use it" : undefined}
        required
        maxLength={200}
        readOnly={known !== undefined}
        data-autofocus
        {...form.getInputProps("name")}
      />
      <MultiSelect
        label="Approvers"
        description="Members of the team"
        data={team.members.map(({ id, name, email }) => ({ value: id ?? "", label: name ? `${name} (${email})` : (email ?? "") }))}
        {...(form.values.approvers.length === 0 && { placeholder: "Choose members" })}
        searchable
        nothingFoundMessage="No member with this name"
        {...form.getInputProps("approvers")}
      />
    </FormDialog>
  );
}
