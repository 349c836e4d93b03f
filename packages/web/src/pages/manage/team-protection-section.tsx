import { Anchor, Group, Stack, Text, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { protectTeam, type TeamProtection, teamProtectionQuery, unprotectTeam } from "../../api/queries/workflow/protection.ts";
import { ApprovalFields } from "../../components/protection/approval-fields.tsx";
import { approvalPlaces, approvalRequest, approvalRules, approvalValues } from "../../components/protection/approval-form.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useApiMutation } from "../../hooks/use-renew.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/workflow/protection.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { FormRefusal, useSubmission } from "../../ui/form/use-submission.tsx";
import { NotLoaded } from "../../ui/state/not-loaded.tsx";
import { Notice } from "../../ui/state/notice.tsx";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import classes from "./manage.module.css";
import type { Team } from "./quota-rows.ts";

/** Whether new versions of all workflows need an approval and whose, and which objects have their own protection. */
export function TeamProtectionSection({ team }: { team: Team }) {
  const query = useQuery(teamProtectionQuery(team.name));
  const { data: protection } = query;
  if (protection === undefined) return <NotLoaded query={query} label={t("teamProtection.loading")} />;
  return (
    <Stack gap="lg">
      <Stack gap="sm" className={classes.narrow}>
        <ProtectionState team={team} protection={protection} />
        <ProtectionForm key={`${protection.approverGroupRef} ${protection.approvalsRequired}`} team={team.name} protection={protection} />
      </Stack>
      <Covered team={team.name} protection={protection} />
    </Stack>
  );
}

function ProtectionState({ team, protection }: { team: Team; protection: TeamProtection }) {
  if (!protection.protected) return <Text>{t("teamProtection.off")}</Text>;
  const people = team.approverGroups.find(({ id }) => id === protection.approverGroupRef)?.approvers ?? [];
  const names = people.map(({ name, email }) => name || email || "").join(", ");
  return (
    <Notice
      tone="info"
      title={t("teamProtection.on", { group: protection.approverGroupName ?? "", count: protection.approvalsRequired ?? 1 })}
    >
      <Text size="sm">{names === "" ? t("protectionSection.nobody") : t("protectionSection.people", { names })}</Text>
      <Text size="sm" className="quiet">
        {t("teamProtection.newInactive")}
      </Text>
      <Text size="sm" className="quiet">
        {t("protectionSection.notOneself")}
      </Text>
    </Notice>
  );
}

interface PartProps {
  team: string;
  protection: TeamProtection;
}

/** Owners choose the approvers; other users see why they can't. */
function ProtectionForm({ team, protection }: PartProps) {
  const whyNot = useRights(team).whyNot("team/grant");
  const [isAsked, ask] = useState(false);
  const form = useForm({ initialValues: approvalValues(protection), validate: approvalRules });
  const changes = ["team", "workflow"] as const;
  const protect = useApiMutation({
    mutationFn: (values: typeof form.values) => protectTeam(team, approvalRequest(values)),
    changes,
    team,
    toast: () => t("teamProtection.saved"),
  });
  const unprotect = useApiMutation({
    mutationFn: () => unprotectTeam(team),
    changes,
    team,
    toast: () => t("teamProtection.turnedOff"),
  });
  const { submit, isPending, refusal } = useSubmission({ form, onSubmit: protect.mutateAsync, places: approvalPlaces });
  const isOn = protection.protected;
  const unchanged = isOn && !form.isDirty() ? t("teamProtection.unchanged") : undefined;
  return (
    <>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <ApprovalFields team={team} field={form.getInputProps} isDisabled={whyNot !== undefined} />
          {isOn && form.isDirty() && (
            <Text size="sm" className="quiet">
              {t("teamProtection.changeAsks")}
            </Text>
          )}
          <FormRefusal message={refusal} />
          <Group gap="xs">
            <ActionButton type="submit" whyNot={whyNot ?? unchanged} loading={isPending}>
              {isOn ? t("teamProtection.save") : t("teamProtection.protect")}
            </ActionButton>
            {isOn && (
              <ActionButton variant="default" whyNot={whyNot} onClick={() => ask(true)}>
                {t("teamProtection.turnOff")}
              </ActionButton>
            )}
          </Group>
        </Stack>
      </form>
      <ConfirmDialog
        isOpen={isAsked}
        onClose={() => ask(false)}
        title={t("teamProtection.turnOffTitle")}
        action={t("teamProtection.turnOff")}
        isDangerous
        onConfirm={() => unprotect.mutateAsync()}
      >
        {t("teamProtection.turnOffHelp")}
      </ConfirmDialog>
    </>
  );
}

interface CoveredRow {
  key: string;
  what: string;
  /** Where the protection is edited; left out: on this page. */
  href?: string;
  approverGroupName: string | null;
  approvalsRequired: number | null;
}

/** Each workflow and secret with its own protection, and the protection of all others. */
function Covered({ team, protection }: PartProps) {
  const rest = protection.workflows.length === 0 ? t("teamProtection.allWorkflows") : t("teamProtection.allOthers");
  const rows: CoveredRow[] = [
    ...protection.workflows.map(({ ref, name, ...by }) => ({
      ...{ key: ref, what: t("teamProtection.workflow", { name }), href: paths.workflowConfigure(team, name, "protection") },
      ...by,
    })),
    { ...protection, key: "rest", what: rest },
    ...protection.secrets.map(({ name, ...by }) => ({
      ...{ key: `secret ${name}`, what: t("teamProtection.secret", { name }), href: paths.parameters(team) },
      ...by,
    })),
  ];
  return (
    <Stack gap="xs" component="section" aria-labelledby="covered">
      <Title order={2} id="covered">
        {t("teamProtection.covered")}
      </Title>
      <DataTable label={t("teamProtection.covered")} minWidth={480} columns={columns} rows={rows} keyOf={({ key }) => key} />
    </Stack>
  );
}

const columns: Column<CoveredRow>[] = [
  {
    title: t("teamProtection.what"),
    kind: "name",
    cell: ({ what, href }) =>
      href === undefined ? (
        what
      ) : (
        <Anchor component={Link} inherit to={href}>
          {what}
        </Anchor>
      ),
  },
  {
    title: t("teamProtection.approvers"),
    cell: ({ approverGroupName }) => approverGroupName ?? <span className="quiet">{t("teamProtection.nobody")}</span>,
  },
  { title: t("teamProtection.approvals"), kind: "number", cell: ({ approvalsRequired }) => approvalsRequired ?? "" },
];
