import { Radio, Stack, TagsInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useQuery } from "@tanstack/react-query";
import { rolesQuery } from "../../api/queries/teams.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useChangeTeam } from "../../hooks/use-change-team.ts";
import { t } from "../../texts/team.ts";
import { FormDialog } from "../../ui/dialog/form-dialog.tsx";

/** People by their addresses, many at once. Who is not known here is invited, and gets in at the first sign-in. */
export function InviteDialog({ team, onClose }: { team: string; onClose: () => void }) {
  const form = useForm({ initialValues: { addresses: [] as string[], role: "editor" } });
  const { mutateAsync } = useChangeTeam(team);
  const rights = useRights(team);
  const { data: roles = [] } = useQuery(rolesQuery);
  const invite = async ({ addresses, role }: typeof form.values) => {
    await mutateAsync({ members: addresses.map((email) => ({ email, role })) });
    notifications.show({ message: t("inviteDialog.added", { addresses: addresses.join(", "), role }) });
  };
  return (
    <FormDialog
      title={t("inviteDialog.invitePeople")}
      form={form}
      action={t("inviteDialog.invite")}
      whyNot={form.values.addresses.length === 0 ? t("inviteDialog.enterEmailAddressFirst") : undefined}
      places={{ "/members": "addresses" }}
      onSubmit={invite}
      onClose={onClose}
    >
      <TagsInput
        openOnFocus={false}
        label={t("inviteDialog.emailAddresses")}
        description={t("inviteDialog.emailAddressesHelp")}
        splitChars={[",", ";", " "]}
        data-autofocus
        {...form.getInputProps("addresses")}
      />
      <Radio.Group label={t("inviteDialog.role")} {...form.getInputProps("role")}>
        <Stack gap="xs" mt={4}>
          {roles.map(({ name, description, permissions }) => (
            <Radio
              key={name}
              value={name}
              label={name}
              description={permissions.every((one) => rights.may(one)) ? description : t("inviteDialog.onlyOwnersGrant", { description })}
              disabled={!permissions.every((one) => rights.may(one))}
            />
          ))}
        </Stack>
      </Radio.Group>
    </FormDialog>
  );
}
