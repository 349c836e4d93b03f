import { Checkbox, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { api, call } from "../../../api/client.ts";
import type { Team } from "../../../api/queries/identity/session.ts";
import { useRights } from "../../../hooks/use-caller.ts";
import { useApiMutation } from "../../../hooks/use-renew.ts";
import { t } from "../../../texts/settings/administration.ts";
import { FormDialog } from "../../../ui/dialog/form-dialog.tsx";

const permissions = [
  { name: "allowHostNetwork", label: t("permissionsDialog.hostNetwork"), description: t("permissionsDialog.hostNetworkHelp") },
  { name: "allowPrivileged", label: t("permissionsDialog.privileged"), description: t("permissionsDialog.privilegedHelp") },
] as const;

type Permissions = Pick<Team, (typeof permissions)[number]["name"]>;

/** Which capabilities of the machines the tasks of one team may use, where the instance allows it. */
export function PermissionsDialog({ team, onClose }: { team: Team; onClose: () => void }) {
  const { allowHostNetwork, allowPrivileged } = team;
  const form = useForm<Permissions>({ initialValues: { allowHostNetwork, allowPrivileged } });
  const save = useApiMutation({
    changes: ["teams"],
    mutationFn: (body: Permissions) => call(api.PATCH("/api/v2/team/{team}", { params: { path: { team: team.id } }, body })),
  });
  return (
    <FormDialog
      title={t("permissionsDialog.title", { displayName: team.displayName || team.name })}
      form={form}
      action={t("permissionsDialog.save")}
      whyNot={useRights().whyNot("system/delete")}
      onSubmit={save.mutateAsync}
      onClose={onClose}
    >
      <Stack gap="md">
        {permissions.map(({ name, label, description }) => (
          <Checkbox key={name} {...{ label, description }} {...form.getInputProps(name, { type: "checkbox" })} />
        ))}
      </Stack>
    </FormDialog>
  );
}
