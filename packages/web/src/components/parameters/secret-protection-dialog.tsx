import { Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { teamQuery } from "../../api/queries/identity/session.ts";
import { protectSecret, type SecretProtection, secretProtectionQuery, unprotectSecret } from "../../api/queries/workflow/protection.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useApiMutation } from "../../hooks/use-renew.ts";
import { t } from "../../texts/workflow/protection.ts";
import { ApprovalFields } from "../protection/approval-fields.tsx";
import { approvalRequest, approvalRules, approvalValues } from "../protection/approval-form.ts";
import { ProtectionDialog } from "./protection-dialog.tsx";
import { SecretUses } from "./secret-uses.tsx";

interface SecretProtectionDialogProps {
  team: string;
  name: string;
  onClose: () => void;
}

/** Who approves the use of a secret, and what uses it. Owners can change this; others can read it. */
export function SecretProtectionDialog({ team, name, onClose }: SecretProtectionDialogProps) {
  const query = useQuery(secretProtectionQuery(team, name));
  const groups = useQuery({ ...teamQuery(team), select: ({ approverGroups }) => approverGroups });
  const whyNot = useRights(team).whyNot("team/grant");
  const form = useForm({ initialValues: formValues(undefined), validate: approvalRules });
  const protection = query.data;
  useEffect(() => {
    if (protection !== undefined) form.initialize(formValues(protection));
  }, [protection, form.initialize]);
  const changes = ["team", "workflow"] as const;
  const protect = useApiMutation({
    mutationFn: (given: typeof form.values) => protectSecret(team, name, approvalRequest(given)),
    changes,
    team,
    toast: () => t("secretProtection.saved"),
  });
  const unprotect = useApiMutation({
    mutationFn: () => unprotectSecret(team, name),
    changes,
    team,
    toast: () => t("secretProtection.turnedOff"),
  });
  return (
    <ProtectionDialog
      {...{ name, protection, form, whyNot, onClose }}
      waitsFor={[query, groups].find(({ data }) => data === undefined)}
      turnOffHelp={t("secretProtection.turnOffHelp")}
      onProtect={protect.mutateAsync}
      onTurnOff={unprotect.mutateAsync}
    >
      {protection && <Uses protection={protection} />}
      <ApprovalFields team={team} field={form.getInputProps} isDisabled={whyNot !== undefined} />
    </ProtectionDialog>
  );
}

function formValues(protection: SecretProtection | undefined) {
  return { ...approvalValues(protection), approveCurrent: false };
}

function Uses({ protection }: { protection: SecretProtection }) {
  return (
    <>
      {protection.protected && (
        <Text size="sm">
          {t("secretProtection.on", { count: protection.approvalsRequired ?? 1, group: protection.approverGroupName ?? "" })}
        </Text>
      )}
      <SecretUses isProtected={protection.protected} workflows={protection.workflows} />
    </>
  );
}
