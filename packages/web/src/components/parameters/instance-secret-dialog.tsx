import { NumberInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import {
  type GlobalSecretProtection,
  globalSecretProtectionQuery,
  protectGlobalSecret,
  unprotectGlobalSecret,
} from "../../api/queries/workflow/protection.ts";
import { useApiMutation } from "../../hooks/use-renew.ts";
import { t } from "../../texts/workflow/protection.ts";
import { approvalRequest, approvalRules } from "../protection/approval-form.ts";
import { ProtectionDialog } from "./protection-dialog.tsx";
import { SecretUses } from "./secret-uses.tsx";

interface InstanceSecretDialogProps {
  name: string;
  onClose: () => void;
}

/** For administrators: which group of each team approves the use of an instance's secret, and what uses it. */
export function InstanceSecretDialog({ name, onClose }: InstanceSecretDialogProps) {
  const query = useQuery(globalSecretProtectionQuery(name));
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
  return (
    <ProtectionDialog
      {...{ name, protection, form, onClose }}
      waitsFor={protection === undefined ? query : undefined}
      turnOffHelp={t("instanceSecret.turnOffHelp")}
      onProtect={protect.mutateAsync}
      onTurnOff={unprotect.mutateAsync}
    >
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
    </ProtectionDialog>
  );
}

function formValues(protection: GlobalSecretProtection | undefined) {
  return {
    approverGroup: protection?.approverGroupName ?? "",
    // Empty while the user types another number.
    approvalsRequired: (protection?.approvalsRequired ?? 1) as number | string,
    approveCurrent: false,
  };
}
