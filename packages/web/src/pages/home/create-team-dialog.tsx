import { Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDebouncedValue } from "@mantine/hooks";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { messageOf } from "../../api/api-error.ts";
import { checkTeamName, createTeam } from "../../api/queries/settings.ts";
import { useRenew } from "../../hooks/use-renew.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/home.ts";
import { FormDialog } from "../../ui/dialog/form-dialog.tsx";

/** Asks for a name. While the user types, shows the URL that the team will have, or why the name isn't possible. */
export function CreateTeamDialog({ onClose }: { onClose: () => void }) {
  const form = useForm({ initialValues: { name: "" } });
  const name = form.values.name.trim();
  const [settled] = useDebouncedValue(name, 250);
  const renew = useRenew();
  const navigate = useNavigate();
  const check = useQuery({
    queryKey: ["team-name", settled],
    queryFn: () => checkTeamName(settled),
    enabled: settled !== "",
    staleTime: 0,
  });
  const create = useMutation({
    mutationFn: () => createTeam({ name, displayName: name }),
    onSuccess: async (team) => {
      void renew(["overview", "teams", "navigation", "profile"]);
      // The creator's permissions in the new team must be loaded before its pages are shown.
      await renew(["caller"]);
      await navigate({ to: paths.workflows(team.name) });
    },
  });
  const isSettled = settled === name && name !== "";
  const refusal = isSettled && check.error !== null ? messageOf(check.error) : undefined;
  return (
    <FormDialog
      title={t("createTeamDialog.createTeam")}
      form={form}
      action={t("createTeamDialog.createTeam")}
      whyNot={name === "" ? t("createTeamDialog.nameMissing") : refusal}
      places={{ "/displayName": "name" }}
      onSubmit={() => create.mutateAsync()}
      onClose={onClose}
      staysOpen
    >
      <TextInput
        label={t("createTeamDialog.name")}
        description={t("createTeamDialog.nameHelp")}
        data-autofocus
        autoComplete="off"
        maxLength={100}
        {...form.getInputProps("name")}
        error={form.errors["name"] ?? refusal}
      />
      <Text size="sm" role="status" className="quiet" mih={20}>
        {isSettled &&
          check.data !== undefined &&
          check.error === null &&
          t.rich("createTeamDialog.url", { code: () => <code>/{check.data?.name}</code> })}
      </Text>
    </FormDialog>
  );
}
