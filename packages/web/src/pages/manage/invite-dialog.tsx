import { Radio, Stack, TagsInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useQuery } from "@tanstack/react-query";
import { rolesQuery } from "../../api/queries/teams.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useChangeTeam } from "../../hooks/use-change-team.ts";
import { FormDialog } from "../../ui/dialog/form-dialog.tsx";

/** People by their addresses, many at once. Who is not known here is invited, and gets in at the first sign-in. */
export function InviteDialog({ team, onClose }: { team: string; onClose: () => void }) {
  const form = useForm({ initialValues: { addresses: [] as string[], role: "editor" } });
  const { mutateAsync } = useChangeTeam(team);
  const rights = useRights(team);
  const { data: roles = [] } = useQuery(rolesQuery);
  const invite = async ({ addresses, role }: typeof form.values) => {
    await mutateAsync({ members: addresses.map((email) => ({ email, role })) });
    notifications.show({ message: `${addresses.join(", ")} added as ${role}.` });
  };
  return (
    <FormDialog
      title="Invite people"
      form={form}
      action="Invite"
      whyNot={form.values.addresses.length === 0 ? "Enter an email address first." : undefined}
      places={{ "/members": "addresses" }}
      onSubmit={invite}
      onClose={onClose}
    >
      <TagsInput
        label="Email addresses"
        description="Separate addresses with commas. Millrace sends no email; share the sign-in link yourself."
        splitChars={[",", ";", " "]}
        data-autofocus
        {...form.getInputProps("addresses")}
      />
      <Radio.Group label="Role" {...form.getInputProps("role")}>
        <Stack gap="xs" mt={4}>
          {roles.map(({ name, description, permissions }) => (
            <Radio
              key={name}
              value={name}
              label={name}
              description={permissions.every((one) => rights.may(one)) ? description : `${description}. Only owners can grant this role`}
              disabled={!permissions.every((one) => rights.may(one))}
            />
          ))}
        </Stack>
      </Radio.Group>
    </FormDialog>
  );
}
