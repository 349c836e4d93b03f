import { TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { api, call } from "../../../api/client.ts";
import { useApiMutation } from "../../../hooks/use-api-mutation.ts";
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
    toast: (team) => `Team ${team.name} created.`,
    mutationFn: ({ name, owner }: TeamValues) => {
      const members = owner.trim() === "" ? [] : [{ email: owner.trim(), role: "owner" }];
      return call(api.POST("/api/v2/team", { body: { name, displayName: name.trim(), members } }));
    },
  });
  return (
    <FormDialog
      title="Create team"
      form={form}
      action="Create team"
      places={{ "/displayName": "name", "/members": "owner" }}
      onSubmit={create.mutateAsync}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="The URL uses it in lower case, with hyphens."
        required
        withAsterisk={false}
        data-autofocus
        maxLength={128}
        {...form.getInputProps("name")}
      />
      <TextInput
        label="Owner"
        description="An email address. If there is no such user, one is invited. Leave empty to own the team yourself."
        type="email"
        {...form.getInputProps("owner")}
      />
    </FormDialog>
  );
}
