import { Checkbox, NumberInput, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import {
  type GlobalSecretProtection,
  globalSecretProtectionQuery,
  protectGlobalSecret,
  unprotectGlobalSecret,
} from "../../api/queries/workflow/protection.ts";
import { useApiMutation } from "../../hooks/use-renew.ts";
import { t } from "../../texts/workflow/protection.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { FormDialog } from "../../ui/dialog/form-dialog.tsx";
import { NotLoaded } from "../../ui/state/not-loaded.tsx";
import { approvalPlaces, approvalRequest, approvalRules } from "../protection/approval-form.ts";
import { SecretUses } from "./secret-uses.tsx";

interface InstanceSecretDialogProps {
  name: string;
  onClose: () => void;
}

/** Which group approves the use of a secret of the instance in each team, and what uses it. For administrators. */
export function InstanceSecretDialog({ name, onClose }: InstanceSecretDialogProps) {
  const query = useQuery(globalSecretProtectionQuery(name));
  const [isAsked, ask] = useState(false);
  const form = useForm({ initialValues: formValues(undefined), validate: approvalRules });
  const protection = query.data;
  useEffect(() => {
    if (protection !== undefined) form.initialize(formValues(protection));
  }, [protection, form.initialize]);
  const changes = ["global-parameters", "workflow"] as const;
  const protect = useApiMutation({
    mutationFn: ({ approverGroup, ...given }: typeof form.values) =>
      protectGlobalSecret(name, approvalRequest({ ...given, approverGroup: approverGroup.trim() })),
    changes,
    toast: () => t("secretProtection.saved"),
  });
  const unprotect = useApiMutation({
    mutationFn: () => unprotectGlobalSecret(name),
    changes,
    toast: () => t("secretProtection.turnedOff"),
  });
  if (isAsked)
    return (
      <ConfirmDialog
        isOpen
        onClose={() => ask(false)}
        title={t("secretProtection.turnOffTitle", { name })}
        action={t("secretProtection.turnOff")}
        isDangerous
        onConfirm={async () => {
          await unprotect.mutateAsync();
          onClose();
        }}
      >
        {t("instanceSecret.turnOffHelp")}
      </ConfirmDialog>
    );
  return (
    <FormDialog
      title={t("secretProtection.protectionOf", { name })}
      action={protection?.protected ? t("secretProtection.save") : t("secretProtection.protect")}
      form={form}
      noValidate
      places={approvalPlaces}
      onSubmit={protect.mutateAsync}
      onClose={onClose}
      result={protection === undefined && <NotLoaded query={query} label={t("secretProtection.loading")} />}
      aside={
        protection?.protected && (
          <ActionButton variant="default" onClick={() => ask(true)}>
            {t("secretProtection.turnOff")}
          </ActionButton>
        )
      }
    >
      <Stack gap="sm">
        <Text size="sm">{t("secretProtection.help")}</Text>
        {protection && (
          <SecretUses
            isProtected={protection.protected}
            workflows={protection.workflows.map(({ team, name: own, approved }) => ({ name: `${team}/${own}`, approved }))}
          />
        )}
        <TextInput
          label={t("approvalFields.group")}
          description={t("instanceSecret.groupHelp")}
          required
          maxLength={200}
          data-autofocus
          {...form.getInputProps("approverGroup")}
        />
        <NumberInput
          label={t("approvalFields.approvals")}
          min={1}
          max={100}
          allowDecimal={false}
          {...form.getInputProps("approvalsRequired")}
        />
        {protection?.workflows.some(({ approved }) => !approved) && (
          <Checkbox
            label={t("secretProtection.approveCurrent")}
            description={t("secretProtection.approveCurrentHelp")}
            {...form.getInputProps("approveCurrent", { type: "checkbox" })}
          />
        )}
      </Stack>
    </FormDialog>
  );
}

function formValues(protection: GlobalSecretProtection | undefined) {
  return {
    approverGroup: protection?.approverGroupName ?? "",
    // Empty while another number is typed.
    approvalsRequired: (protection?.approvalsRequired ?? 1) as number | string,
    approveCurrent: false,
  };
}
