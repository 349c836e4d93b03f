import { Checkbox, Stack, Text } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { type ReactNode, useState } from "react";
import { t } from "../../texts/workflow/protection.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { FormDialog } from "../../ui/dialog/form-dialog.tsx";
import { NotLoaded, type QueryResult } from "../../ui/state/not-loaded.tsx";
import { approvalPlaces } from "../protection/approval-form.ts";

interface ProtectionDialogProps<Values extends { approveCurrent: boolean }> {
  /** Of the secret. */
  name: string;
  protection: { protected: boolean; workflows: readonly { approved: boolean }[] } | undefined;
  /** What is not loaded yet. */
  waitsFor: QueryResult<unknown> | undefined;
  form: UseFormReturnType<Values>;
  whyNot?: string | undefined;
  /** What turning it off means. */
  turnOffHelp: string;
  onProtect: (values: Values) => Promise<unknown>;
  onTurnOff: () => Promise<unknown>;
  onClose: () => void;
  /** What uses the secret, and the fields that say who approves. */
  children: ReactNode;
}

/** Turns the protection of a secret on and off. One dialog all the time: the focus goes into it once. */
export function ProtectionDialog<Values extends { approveCurrent: boolean }>(props: ProtectionDialogProps<Values>) {
  const { name, protection, waitsFor, form, whyNot, turnOffHelp, onProtect, onTurnOff, onClose, children } = props;
  const [isAsked, ask] = useState(false);
  if (isAsked)
    return (
      <ConfirmDialog
        isOpen
        onClose={() => ask(false)}
        title={t("secretProtection.turnOffTitle", { name })}
        action={t("secretProtection.turnOff")}
        isDangerous
        onConfirm={async () => {
          await onTurnOff();
          onClose();
        }}
      >
        {turnOffHelp}
      </ConfirmDialog>
    );
  return (
    <FormDialog
      title={t("secretProtection.protectionOf", { name })}
      action={protection?.protected ? t("secretProtection.save") : t("secretProtection.protect")}
      form={form}
      whyNot={whyNot}
      noValidate
      places={approvalPlaces}
      onSubmit={onProtect}
      onClose={onClose}
      result={waitsFor && <NotLoaded query={waitsFor} label={t("secretProtection.loading")} />}
      aside={
        protection?.protected && (
          <ActionButton variant="default" whyNot={whyNot} onClick={() => ask(true)}>
            {t("secretProtection.turnOff")}
          </ActionButton>
        )
      }
    >
      <Stack gap="sm">
        <Text size="sm">{t("secretProtection.help")}</Text>
        {children}
        {protection?.workflows.some(({ approved }) => !approved) && (
          <Checkbox
            label={t("secretProtection.approveCurrent")}
            description={t("secretProtection.approveCurrentHelp")}
            disabled={whyNot !== undefined}
            {...form.getInputProps("approveCurrent", { type: "checkbox" })}
          />
        )}
      </Stack>
    </FormDialog>
  );
}
