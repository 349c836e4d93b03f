import { Group, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { teamQuery } from "../../api/queries/identity/session.ts";
import { type Protection, protectionQuery, protectWorkflow, unprotectWorkflow } from "../../api/queries/workflow/protection.ts";
import { ApprovalFields } from "../../components/protection/approval-fields.tsx";
import { approvalPlaces, approvalRequest, approvalRules, approvalValues } from "../../components/protection/approval-form.ts";
import type { SectionProps } from "../../editor/draft/use-section-draft.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useApiMutation } from "../../hooks/use-renew.ts";
import { t } from "../../texts/workflow/protection.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { FormRefusal, useSubmission } from "../../ui/form/use-submission.tsx";
import { NotLoaded } from "../../ui/state/not-loaded.tsx";
import { Notice } from "../../ui/state/notice.tsx";
import { ProposalsTable } from "./proposals-table.tsx";

/** Whether new versions need an approval, who approves them, and the proposals. */
export function ProtectionSection({ team, workflow }: SectionProps) {
  const query = useQuery(protectionQuery(team, workflow.name));
  const { data: protection } = query;
  if (protection === undefined) return <NotLoaded query={query} label={t("protectionSection.loading")} />;
  const of = { team, workflow: workflow.name, protection };
  return (
    <Stack gap="lg">
      <Stack gap="sm" maw={560}>
        <ProtectionState {...of} />
        <UsedSecrets protection={protection} />
        <ProtectionForm key={`${protection.approverGroupRef} ${protection.approvalsRequired}`} {...of} />
      </Stack>
      <ProposalsTable team={team} workflow={workflow.name} isProtected={protection.protected} />
    </Stack>
  );
}

interface PartProps {
  team: string;
  workflow: string;
  protection: Protection;
}

/** The approvers by name. */
function ProtectionState({ team, protection }: PartProps) {
  const { data } = useQuery(teamQuery(team));
  if (!protection.protected) return <Text>{t("protectionSection.off")}</Text>;
  const people = data?.approverGroups.find(({ id }) => id === protection.approverGroupRef)?.approvers;
  const names = people?.map(({ name, email }) => name || email || "").join(", ");
  return (
    <Notice
      tone="info"
      title={t("protectionSection.on", { group: protection.approverGroupName ?? "", count: protection.approvalsRequired ?? 1 })}
    >
      {names !== undefined && (
        <Text size="sm">{names === "" ? t("protectionSection.nobody") : t("protectionSection.people", { names })}</Text>
      )}
      {protection.ofTeam && <Text size="sm">{t("protectionSection.ofTeam")}</Text>}
      <Text size="sm" className="quiet">
        {t("protectionSection.notOneself")}
      </Text>
    </Notice>
  );
}

/** The protected secrets that the workflow uses, and which group must approve their use. */
function UsedSecrets({ protection: { secrets = [] } }: Pick<PartProps, "protection">) {
  if (secrets.length === 0) return null;
  const refused = secrets.filter(({ approved }) => !approved).map(({ name }) => name);
  return (
    <Notice tone={refused.length > 0 ? "warning" : "info"} title={t("protectionSection.usesSecrets")}>
      {secrets.map(({ name, approverGroupName }) => (
        <Text key={name} size="sm">
          {t("protectionSection.secretOf", { name, group: approverGroupName })}
        </Text>
      ))}
      {refused.length > 0 && <Text size="sm">{t("protectionSection.secretsRefused", { names: refused.join(", ") })}</Text>}
    </Notice>
  );
}

/** Owners choose the approvers; other users see why they can't. */
function ProtectionForm({ team, workflow, protection }: PartProps) {
  const whyNot = useRights(team).whyNot("team/grant");
  const [isAsked, ask] = useState(false);
  const isOwn = protection.protected && !protection.ofTeam;
  const form = useForm({
    initialValues: approvalValues(protection),
    validate: approvalRules,
  });
  // Each change closes open proposals, so their actions are reloaded as well.
  const changes = ["workflow", "actions", "action", "action-summary"] as const;
  const protect = useApiMutation({
    mutationFn: (values: typeof form.values) => protectWorkflow(team, workflow, approvalRequest(values)),
    changes,
    team,
    toast: () => t("protectionSection.saved"),
  });
  const unprotect = useApiMutation({
    mutationFn: () => unprotectWorkflow(team, workflow),
    changes,
    team,
    toast: () => t("protectionSection.turnedOff"),
  });
  const { submit, isPending, refusal } = useSubmission({
    form,
    onSubmit: protect.mutateAsync,
    places: approvalPlaces,
  });
  const unchanged = isOwn && !form.isDirty() ? t("protectionSection.unchanged") : undefined;
  return (
    <>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <ApprovalFields team={team} field={form.getInputProps} isDisabled={whyNot !== undefined} />
          {isOwn && form.isDirty() && (
            <Text size="sm" className="quiet">
              {t("protectionSection.changeCloses")}
            </Text>
          )}
          <FormRefusal message={refusal} />
          <Group gap="xs">
            <ActionButton type="submit" whyNot={whyNot ?? unchanged} loading={isPending}>
              {isOwn ? t("protectionSection.save") : t("protectionSection.protect")}
            </ActionButton>
            {isOwn && (
              <ActionButton variant="default" whyNot={whyNot} onClick={() => ask(true)}>
                {t("protectionSection.turnOff")}
              </ActionButton>
            )}
          </Group>
        </Stack>
      </form>
      <ConfirmDialog
        isOpen={isAsked}
        onClose={() => ask(false)}
        title={t("protectionSection.turnOffTitle", { workflow })}
        action={t("protectionSection.turnOff")}
        isDangerous
        onConfirm={() => unprotect.mutateAsync()}
      >
        {t("protectionSection.turnOffHelp")}
      </ConfirmDialog>
    </>
  );
}
