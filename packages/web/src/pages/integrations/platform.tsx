import { Anchor, Autocomplete, Group, Stack, Text, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Integration } from "../../api/queries/integrations.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useRenew } from "../../hooks/use-renew.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/integrations.ts";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { ActionForm } from "../../ui/form/action-form.tsx";
import { StateMark } from "../../ui/mark/state-mark.tsx";
import { Notice } from "../../ui/state/notice.tsx";
import classes from "./platforms.module.css";

interface PlatformProps {
  integration: Integration;
  /** Keys of the group `integration` that an administrator has to set first. */
  keys: readonly string[];
  /** Shown at the right. */
  actions?: ReactNode;
  children?: ReactNode;
}

/** One platform: its purpose, whether the team is linked to it, and, if linking isn't possible yet, what an administrator has to set. */
export function Platform({ integration, keys, actions, children }: PlatformProps) {
  const { name, description, status, isConfigured } = integration;
  const maySet = useRights().may("system/write");
  const word = isConfigured ? (status === "linked" ? t("platform.linked") : t("platform.notLinked")) : t("platform.notConfigured");
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
          <Notice tone="info" title={t("platform.administratorMustConfigure")}>
            {t.rich("platform.seeSettingsGroup", {
              code: () => <code>integration</code>,
              keys: () => keys.map((key, index) => [index > 0 && ", ", <code key={key}>{key}</code>]),
            })}{" "}
            {maySet && (
              <Anchor component={Link} to={paths.admin("settings")} size="sm">
                {t("platform.openSettings")}
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
  /** The error for an empty field. */
  missing: string;
  /** The options to choose from, where they are known. */
  known?: readonly string[];
  whyNot: string | undefined;
  link: (ref: string) => Promise<unknown>;
}

/** Links the team to the object with this number or id on the platform. If the link is refused, shows who may create it. */
export function LinkForm({ label, description, missing, known = [], whyNot, link }: LinkFormProps) {
  const form = useForm({ initialValues: { ref: "" }, validate: { ref: (ref) => (ref.trim() === "" ? missing : null) } });
  const renew = useRenew();
  const submit = async ({ ref }: typeof form.values) => {
    await link(ref.trim());
    await renew(["integrations", "installation", "chat-workspaces"]);
  };
  return (
    <ActionForm form={form} action={t("platform.linkTeam")} isMinor whyNot={whyNot} onSubmit={submit}>
      <Autocomplete label={label} description={description} data={[...known]} maxLength={100} maw={320} {...form.getInputProps("ref")} />
    </ActionForm>
  );
}

interface UnlinkDialogProps {
  name: string;
  isOpen: boolean;
  onClose: () => void;
  /** What stops working. */
  consequence: string;
  unlink: () => Promise<unknown>;
}

/** Asks for confirmation before the team is unlinked from a platform. */
export function UnlinkDialog({ name, isOpen, onClose, consequence, unlink }: UnlinkDialogProps) {
  const renew = useRenew();
  const confirm = async () => {
    await unlink();
    await renew(["integrations", "chat-workspaces"]);
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t("platform.unlink", { name })}
      action={t("platform.unlinkAction")}
      isDangerous
      onConfirm={confirm}
    >
      {t("platform.otherTeamsStayLinked", { consequence })}
    </ConfirmDialog>
  );
}
