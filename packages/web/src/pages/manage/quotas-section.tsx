import { Button, Group, NumberInput, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, call } from "../../api/client.ts";
import { defaultQuotasQuery, featuresQuery } from "../../api/queries/identity/session.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useRenew } from "../../hooks/use-renew.ts";
import { useChangeTeam } from "../../hooks/use-team.ts";
import { t } from "../../texts/team.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { FormRefusal, useSubmission } from "../../ui/form/use-submission.tsx";
import { numberText } from "../../ui/format.ts";
import { ListSection } from "../../ui/list/list-page.tsx";
import { Notice } from "../../ui/state/notice.tsx";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import { durationText } from "../../ui/time/time-format.ts";
import { TimeText } from "../../ui/time/time-text.tsx";
import { type QuotaRow, type Quotas, quotaRows, quotaUse, type Team } from "./quota-rows.ts";
import classes from "./quota-usage.module.css";

/** The team's quotas and how much of them is used. The quotas can be edited here. */
export function QuotasSection({ team }: { team: Team }) {
  const renew = useRenew();
  const rights = useRights(team.name);
  const { data: defaults } = useQuery(defaultQuotasQuery);
  const { data: features } = useQuery(featuresQuery);
  const [isResetting, setResetting] = useState(false);
  const isOwn = defaults !== undefined && quotaRows.some(({ name }) => team.quotas[name] !== defaults[name]);
  const reset = async () => {
    await call(api.DELETE("/api/v2/team/{team}/quotas", { params: { path: { team: team.name } } }));
    await renew(["team"]);
  };
  const byDefault = ({ name }: QuotaRow) => defaults?.[name] ?? undefined;
  const columns: Column<QuotaRow>[] = [
    { title: t("quotasSection.quota"), cell: (row) => <QuotaName row={row} /> },
    { title: t("quotasSection.usage"), cell: (row) => <Usage row={row} quotas={team.quotas} /> },
    {
      title: t("quotasSection.limit"),
      cell: (row) => <QuotaLimit team={team.name} row={row} limit={team.quotas[row.name] ?? 0} byDefault={byDefault(row)} />,
    },
    {
      title: t("quotasSection.default"),
      kind: "short",
      cell: (row) => <span className="quiet">{limitText(byDefault(row), row)}</span>,
    },
  ];
  return (
    <Stack gap="sm">
      {features?.features["team.quotas"] === false && (
        <Notice tone="info" title={t("quotasSection.quotasTurnedOff")}>
          {t("quotasSection.limitsStoredButNot")}
        </Notice>
      )}
      <ListSection
        note={t.rich("quotasSection.resetsLoweringLimitDoesnt", { time: () => <TimeText at={team.quotas.monthlyResetDate} /> })}
        actions={
          <ActionButton
            size="xs"
            variant="default"
            whyNot={rights.whyNot("team/delete") ?? (isOwn ? undefined : t("quotasSection.allLimitsAlreadyHave"))}
            onClick={() => setResetting(true)}
          >
            {t("quotasSection.resetDefaults")}
          </ActionButton>
        }
      >
        <DataTable label={t("quotasSection.quotas")} minWidth={640} columns={columns} rows={quotaRows} keyOf={({ name }) => name} />
      </ListSection>
      <ConfirmDialog
        isOpen={isResetting}
        onClose={() => setResetting(false)}
        title={t("quotasSection.resetQuotas")}
        action={t("quotasSection.resetDefaults")}
        onConfirm={reset}
      >
        {t("quotasSection.teamGetsInstancesLimits")}
      </ConfirmDialog>
    </Stack>
  );
}

function QuotaName({ row: { title, hint } }: { row: QuotaRow }) {
  return (
    <>
      <Text size="sm" fw={500}>
        {title}
      </Text>
      <Text size="xs" className="quiet">
        {hint}
      </Text>
    </>
  );
}

function Usage({ row: { name, used }, quotas }: { row: QuotaRow; quotas: Quotas }) {
  if (used) return <QuotaUsage used={used(quotas)} limit={quotas[name] ?? 0} />;
  const median = quotas.currentRunMedianDuration;
  return (
    <Text size="sm" className="quiet">
      {name.endsWith("Storage") && t("quotasSection.appliesEach")}
      {name === "maxWorkflowRunDuration" &&
        (median === 0 ? t("quotasSection.noFinishedRunsMonth") : t("quotasSection.monthsMedian", { duration: durationText(median) }))}
    </Text>
  );
}

/** How much of a quota is used: as a bar, a number and a word, so that the bar isn't the only indication. */
function QuotaUsage({ used, limit }: { used: number; limit: number }) {
  const { share, word, tone } = quotaUse(used, limit);
  return (
    <div className={classes.use}>
      <Text size="sm">{t.rich("quotasSection.of", { used, limit, span: () => <span className="quiet">{word}</span> })}</Text>
      <div className={classes.track} aria-hidden>
        <div className={classes.fill} data-tone={tone} style={{ width: `${share * 100}%` }} />
      </div>
    </div>
  );
}

interface QuotaLimitProps {
  team: string;
  row: QuotaRow;
  limit: number;
  byDefault: number | undefined;
}

/**
 * A quota, changed in place. Raising it above the instance's default needs the permission for all teams, which the service's error says.
 */
function QuotaLimit(props: QuotaLimitProps) {
  const { team, row, limit } = props;
  const rights = useRights(team);
  const [isEditing, setEditing] = useState(false);
  if (isEditing) return <LimitForm {...props} onDone={() => setEditing(false)} />;
  return (
    <Group gap="xs">
      <Text size="sm" style={{ whiteSpace: "nowrap" }}>
        {limitText(limit, row)}
      </Text>
      <ActionButton
        size="compact-xs"
        variant="subtle"
        whyNot={rights.whyNot("team/write")}
        onClick={() => setEditing(true)}
        aria-label={t("quotasSection.changeLimit", { title: row.title })}
      >
        {t("quotasSection.change")}
      </ActionButton>
    </Group>
  );
}

function LimitForm({ team, row, limit, byDefault, onDone }: QuotaLimitProps & { onDone: () => void }) {
  const ofInstance = useRights();
  const form = useForm<{ limit: number | string }>({ initialValues: { limit } });
  const { mutateAsync } = useChangeTeam(team);
  const { submit, isPending, refusal } = useSubmission({
    form,
    onSubmit: (values) => mutateAsync({ quotas: { [row.name]: Number(values.limit) } }),
    places: { [`/quotas/${row.name}`]: "limit" },
    onDone,
  });
  return (
    <form onSubmit={submit}>
      <Stack gap={4} maw={280}>
        <Group gap={4} wrap="nowrap" align="flex-start">
          <NumberInput
            aria-label={t("quotasSection.limit2", { title: row.title, unit: row.unit })}
            size="xs"
            w={96}
            min={row.name === "maxWorkflowRunDuration" ? 1 : 0}
            max={2_000_000_000}
            allowDecimal={false}
            autoFocus
            {...form.getInputProps("limit")}
          />
          <Button type="submit" size="xs" loading={isPending} disabled={form.values.limit === "" || !form.isDirty()}>
            {t("quotasSection.save")}
          </Button>
          <Button size="xs" variant="default" onClick={onDone}>
            {t("quotasSection.cancel")}
          </Button>
        </Group>
        {refusal === undefined && byDefault !== undefined && !ofInstance.may("team/write") && (
          <Text size="xs" className="quiet">
            {t("quotasSection.upAdministratorMaySet", { byDefault })}
          </Text>
        )}
        <FormRefusal message={refusal} />
      </Stack>
    </form>
  );
}

function limitText(limit: number | undefined, { unit }: QuotaRow): string {
  return limit === undefined ? "–" : `${numberText(limit)} ${unit}`;
}
