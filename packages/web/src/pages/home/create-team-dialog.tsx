import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { messageOf } from "../../api/api-error.ts";
import { checkTeamName, createTeam } from "../../api/queries/overview.ts";
import { useRenew } from "../../hooks/use-renew.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/home.ts";

/** Asks for a name, and says while one types under which address the team will be, or why it can't have that name. */
export function CreateTeamDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [settled] = useDebouncedValue(name.trim(), 250);
  const renew = useRenew();
  const navigate = useNavigate();
  const check = useQuery({
    queryKey: ["team-name", settled],
    queryFn: () => checkTeamName(settled),
    enabled: settled !== "",
    staleTime: 0,
  });
  const create = useMutation({
    mutationFn: () => createTeam({ name: name.trim(), displayName: name.trim() }),
    onSuccess: async (team) => {
      void renew(["overview", "teams", "navigation", "profile"]);
      // What the creator may do in it has to be known before its pages are shown.
      await renew(["caller"]);
      await navigate({ to: paths.workflows(team.name) });
    },
  });
  const isChecked = settled === name.trim() && settled !== "" && check.data !== undefined && check.error === null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== "") create.mutate();
  };
  const refusal = create.error ?? (settled === name.trim() && settled !== "" ? check.error : null);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("createTeamDialog.createTeam")}
      centered
      closeButtonProps={{ "aria-label": t("createTeamDialog.close") }}
    >
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label={t("createTeamDialog.name")}
            description={t("createTeamDialog.nameHelp")}
            data-autofocus
            autoComplete="off"
            maxLength={100}
            value={name}
            error={refusal !== null ? messageOf(refusal) : undefined}
            onChange={(event) => {
              create.reset();
              setName(event.currentTarget.value);
            }}
          />
          <Text size="sm" role="status" className="quiet" mih={20}>
            {isChecked && <>{t.rich("createTeamDialog.url", { code: () => <code>/{check.data?.name}</code> })}</>}
          </Text>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t("createTeamDialog.cancel")}
            </Button>
            <Button type="submit" loading={create.isPending} disabled={name.trim() === "" || refusal !== null}>
              {t("createTeamDialog.createTeam")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
