import { Checkbox, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { teamQuery } from "../../api/queries/identity/session.ts";
import { protectSecret, type SecretProtection, secretProtectionQuery, unprotectSecret } from "../../api/queries/workflow/protection.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useApiMutation } from "../../hooks/use-renew.ts";
import { t } from "../../texts/workflow/protection.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { FormDialog } from "../../ui/dialog/form-dialog.tsx";
import { NotLoaded } from "../../ui/state/not-loaded.tsx";
import { ApprovalFields } from "../protection/approval-fields.tsx";
import { approvalPlaces, approvalRequest, approvalRules, approvalValues } from "../protection/approval-form.ts";
import { SecretUses } from "./secret-uses.tsx";

interface SecretProtectionDialogProps {
  team: string;
  name: string;
  onClose: () => void;
}

/** Who approves the use of a secret, and what uses it. Owners change it; others see it. */
export function SecretProtectionDialog({ team, name, onClose }: SecretProtectionDialogProps) {
  const query = useQuery(secretProtectionQuery(team, name));
  const groups = useQuery({ ...teamQuery(team), select: ({ approverGroups }) => approverGroups });
  const whyNot = useRights(team).whyNot("team/grant");
  const [isAsked, ask] = useState(false);
  const values = useForm({
    initialValues: formValues(undefined),
    validate: approvalRules,
  });
  const protection = query.data;
  useEffect(() => {
    if (protection !== undefined) values.initialize(formValues(protection));
  }, [protection, values.initialize]);
  const changes = ["team", "workflow"] as const;
  const protect = useApiMutation({
    mutationFn: (given: typeof values.values) => protectSecret(team, name, approvalRequest(given)),
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
  const isLoaded = protection !== undefined && groups.data !== undefined;
  const hasOthers = protection?.workflows.some(({ approved }) => !approved);
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
        {t("secretProtection.turnOffHelp")}
      </ConfirmDialog>
    );
  return (
    <FormDialog
      title={t("secretProtection.protectionOf", { name })}
      action={protection?.protected ? t("secretProtection.save") : t("secretProtection.protect")}
      form={values}
      whyNot={whyNot}
      noValidate
      places={approvalPlaces}
      onSubmit={protect.mutateAsync}
      onClose={onClose}
      // One dialog all the time: the focus goes into it once.
      result={!isLoaded && <NotLoaded query={protection === undefined ? query : groups} label={t("secretProtection.loading")} />}
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
        {protection && <Uses protection={protection} />}
        <ApprovalFields team={team} field={values.getInputProps} isDisabled={whyNot !== undefined} />
        {hasOthers && (
          <Checkbox
            label={t("secretProtection.approveCurrent")}
            description={t("secretProtection.approveCurrentHelp")}
            disabled={whyNot !== undefined}
            {...values.getInputProps("approveCurrent", { type: "checkbox" })}
          />
        )}
      </Stack>
    </FormDialog>
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
