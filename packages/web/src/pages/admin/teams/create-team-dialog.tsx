import { TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { api, call } from "../../../api/client.ts";
import { useApiMutation } from "../../../hooks/use-api-mutation.ts";
import { t } from "../../../texts/administration.ts";
import { FormDialog } from "../../../ui/dialog/form-dialog.tsx";

interface TeamValues {
  name: string;
  owner: string;
}

/** A team by its name, and its first owner where it is to be another user. */
export function CreateTeamDialog({ onClose }: { onClose: () => void }) {
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
