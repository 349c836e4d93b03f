import { Anchor, Autocomplete, Group, Stack, Text, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Integration } from "../../api/queries/integrations.ts";
import { useApiMutation } from "../../hooks/use-api-mutation.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useRenew } from "../../hooks/use-renew.ts";
import { paths } from "../../paths.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { FormRefusal } from "../../ui/form/form-refusal.tsx";
import { useSubmission } from "../../ui/form/use-submission.ts";
import { StateMark } from "../../ui/mark/state-mark.tsx";
import { Notice } from "../../ui/state/notice.tsx";
import classes from "./platforms.module.css";

interface PlatformProps {
  integration: Integration;
  /** Keys of the group `integration` that an administrator sets first. */
  keys: readonly string[];
  /** At the right. */
  actions?: ReactNode;
  children?: ReactNode;
}

/** One platform: what it is for, whether the team has it, and, before it can be linked, what an administrator has to set. */
export function Platform({ integration, keys, actions, children }: PlatformProps) {
  const { name, description, status, isConfigured } = integration;
  const maySet = useRights().may("system/write");
  const word = isConfigured ? (status === "linked" ? "Linked" : "Not linked") : "Not configured";
  return (
    <section className={classes.platform} aria-label={name}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Group gap="xs">
            <Title order={2}>{name}</Title>
            <StateMark tone={status === "linked" ? "on" : "rest"} word={word} />
          </Group>
          <Group gap="xs">{actions}</Group>
        </Group>
        <Text size="sm">{description}</Text>
        {!isConfigured && (
          <Notice tone="info" title="An administrator must configure it first">
            See the settings group <code>integration</code>: {keys.map((key, index) => [index > 0 && ", ", <code key={key}>{key}</code>])}.{" "}
            {maySet && (
              <Anchor component={Link} to={paths.admin("settings")} size="sm">
                Open the settings
              </Anchor>
            )}
          </Notice>
        )}
        {children}
      </Stack>
    </section>
  );
}

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
  const form = useForm({ initialValues: { ref: "" } });
  const { mutateAsync } = useApiMutation({
    changes: ["integrations", "installation", "chat-workspaces"],
    mutationFn: link,
  });
  const { submit, isPending, refusal } = useSubmission({ form, onSubmit: ({ ref }) => mutateAsync(ref.trim()) });
  return (
    <form onSubmit={submit}>
      <Stack gap={4}>
        <Group gap="xs" align="flex-end">
          <Autocomplete
            label={label}
            description={description}
            data={[...known]}
            required
            maxLength={100}
            miw={240}
            {...form.getInputProps("ref")}
          />
          <ActionButton type="submit" variant="default" whyNot={whyNot} loading={isPending}>
            Link to this team
          </ActionButton>
        </Group>
        <FormRefusal message={refusal} />
      </Stack>
    </form>
  );
}

interface UnlinkDialogProps {
  name: string;
  isOpen: boolean;
  onClose: () => void;
  /** What stops. */
  consequence: string;
  unlink: () => Promise<unknown>;
}

/** Asks before a platform no longer reaches the team. */
export function UnlinkDialog({ name, isOpen, onClose, consequence, unlink }: UnlinkDialogProps) {
  const renew = useRenew();
  const confirm = async () => {
    await unlink();
    await renew(["integrations", "chat-workspaces"]);
  };
  return (
    <ConfirmDialog isOpen={isOpen} onClose={onClose} title={`Unlink ${name}`} action="Unlink" isDangerous onConfirm={confirm}>
      {consequence} Other teams stay linked. You can link this team again.
    </ConfirmDialog>
  );
}
