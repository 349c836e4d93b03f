import { Autocomplete, Group, Stack } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useApiMutation } from "../../hooks/use-api-mutation.ts";
import { t } from "../../texts/integrations.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { RefusalText } from "../../ui/state/refusal-text.tsx";

interface LinkFormProps {
  label: string;
  description: string;
  /** What can be chosen, where it is known. */
  known?: readonly string[];
  whyNot: string | undefined;
  link: (ref: string) => Promise<unknown>;
}

/** Links the team to what the platform knows by that number or id; a refusal says who may. */
export function LinkForm({ label, description, known = [], whyNot, link }: LinkFormProps) {
  const [ref, setRef] = useState("");
  const { mutate, error, isPending } = useApiMutation({
    changes: ["integrations", "installation", "chat-workspaces"],
    mutationFn: link,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate(ref.trim());
  };
  return (
    <form onSubmit={submit}>
      <Stack gap={4}>
        <Group gap="xs" align="flex-end">
          <Autocomplete
            label={label}
            description={description}
            data={[...known]}
            value={ref}
            onChange={setRef}
            required
            maxLength={100}
            miw={240}
          />
          <ActionButton type="submit" variant="default" whyNot={whyNot} loading={isPending}>
            {t("linkForm.linkTeam")}
          </ActionButton>
        </Group>
        <RefusalText error={error} />
      </Stack>
    </form>
  );
}
