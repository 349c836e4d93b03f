import { Anchor, Button, Group, NavLink, NumberInput, Stack, Text, Title } from "@mantine/core";
import { defaultHandlerTimeout } from "@millrace/contract/run/run-rules.ts";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type ComponentType, lazy, Suspense } from "react";
import { teamQuery } from "../../api/queries/identity/session.ts";
import { schedulesQuery } from "../../api/queries/schedules.ts";
import { workflowChangesQuery } from "../../api/queries/workflow/workflows.ts";
import { ScheduleMark } from "../../components/schedule-words.tsx";
import { useDraft } from "../../editor/draft/draft-context.ts";
import { type SectionProps, useSectionDraft } from "../../editor/draft/use-section-draft.ts";
import { TurnOnSchedules } from "../../forms/schedule-form/turn-on-schedules.tsx";
import { useRights } from "../../hooks/use-caller.ts";
import { useParam, useTeam } from "../../hooks/use-team.ts";
import { paths } from "../../paths.ts";
import { outcomeOf } from "../../texts/language.ts";
import { t } from "../../texts/workflow/configure.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { PlaceLink } from "../../ui/page-header.tsx";
import { LoadingState } from "../../ui/state/not-loaded.tsx";
import { EmptyState } from "../../ui/state/notice.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import classes from "./configure.module.css";
import { GeneralSection } from "./general-section.tsx";
import { LimitsSection } from "./limits-section.tsx";
import { SaveBar } from "./save-bar.tsx";
import { TokensSection } from "./tokens-section.tsx";
import { TriggersSection } from "./triggers/triggers-section.tsx";
import { WorkspacesSection } from "./workspaces-section.tsx";

/** Few workflows declare results or are protected, so these sections are loaded on demand. */
const ParametersSection = lazy(async () => ({ default: (await import("./declared-sections.tsx")).ParametersSection }));
const ResultsSection = lazy(async () => ({ default: (await import("./declared-sections.tsx")).ResultsSection }));
const ProtectionSection = lazy(async () => ({ default: (await import("./protection-section.tsx")).ProtectionSection }));

interface Section {
  word: string;
  content: ComponentType<SectionProps>;
  /** Whether the section shows and edits the draft. */
  isOfDraft?: boolean;
}

const sections: Readonly<Record<string, Section>> = {
  general: { word: t("configurePage.general"), content: GeneralSection, isOfDraft: true },
  parameters: { word: t("configurePage.parameters"), content: ParametersSection, isOfDraft: true },
  results: { word: t("configurePage.results"), content: ResultsSection, isOfDraft: true },
  triggers: { word: t("configurePage.triggers"), content: TriggersSection, isOfDraft: true },
  options: { word: t("configurePage.options"), content: OptionsSection, isOfDraft: true },
  limits: { word: t("configurePage.limits"), content: LimitsSection, isOfDraft: true },
  workspaces: { word: t("configurePage.workspaces"), content: WorkspacesSection, isOfDraft: true },
  protection: { word: t("configurePage.protection"), content: ProtectionSection },
  tokens: { word: t("configurePage.tokens"), content: TokensSection },
  schedules: { word: t("configurePage.schedules"), content: SchedulesSection },
  changelog: { word: t("configurePage.changeLog"), content: ChangelogSection },
};

/** Everything about a workflow except its graph: a list of sections, and the section that the URL names. */
export function ConfigurePage() {
  const team = useTeam();
  const workflow = useParam("workflow");
  const section = useParam("section");
  return (
    <div className={classes.page}>
      <nav className={classes.sections} aria-label={t("configurePage.sectionsConfiguration")}>
        {Object.entries(sections).map(([key, { word }]) => (
          <NavLink
            key={key}
            component={Link}
            to={paths.workflowConfigure(team, workflow, key)}
            label={word}
            active={key === section}
            aria-current={key === section ? "page" : undefined}
            className={classes.place}
          />
        ))}
      </nav>
      <div className={classes.content}>
        <Content team={team} workflow={workflow} section={section} />
      </div>
    </div>
  );
}

function Content({ team, workflow, section }: { team: string; workflow: string; section: string }) {
  const { loaded, history, pendingText } = useDraft();
  const chosen = sections[section];
  if (chosen === undefined)
    return (
      <EmptyState title={t("configurePage.sectionDoesntExist")}>
        <Button variant="default" component={Link} to={paths.workflowConfigure(team, workflow)}>
          {t("configurePage.goGeneralSection")}
        </Button>
      </EmptyState>
    );
  if (pendingText !== undefined && chosen.isOfDraft)
    return (
      <EmptyState title={t("configurePage.codeHasErrors")}>
        <Button variant="default" component={Link} to={paths.workflow(team, workflow, "code")}>
          {t("configurePage.fixCodeFirst")}
        </Button>
      </EmptyState>
    );
  return (
    <Stack gap="md">
      <Title order={2}>{chosen.word}</Title>
      <Suspense fallback={<LoadingState label={chosen.word} rows={3} />}>
        <chosen.content key={section} team={team} workflow={{ ...loaded.data, ...history.present }} />
      </Suspense>
    </Stack>
  );
}

/** Who changed the workflow, when and why. Each version links to its differences. */
function ChangelogSection({ team, workflow }: SectionProps) {
  const query = useQuery(workflowChangesQuery(team, workflow.name));
  return (
    <DataTable
      label={t("changelogSection.changeLog")}
      minWidth={520}
      query={query}
      rows={query.data?.toReversed()}
      keyOf={({ version }) => String(version)}
      columns={[
        {
          title: t("changelogSection.version"),
          kind: "short",
          cell: ({ version }) => (
            <>
              <Anchor
                component={PlaceLink}
                inherit
                to={paths.workflow(team, workflow.name, "versions")}
                search={{ before: Math.max(1, version - 1), after: version }}
              >
                {version}
              </Anchor>
              {version === workflow.version && <span className="quiet"> {t("changelogSection.current")}</span>}
            </>
          ),
        },
        { title: t("changelogSection.reason"), cell: ({ reason }) => outcomeOf(reason ?? "") },
        { title: t("changelogSection.by"), cell: ({ author }) => author },
        { title: t("changelogSection.when"), kind: "short", cell: ({ date }) => <TimeText at={date} /> },
      ]}
    />
  );
}

/** How long a run may take, and how often it is retried. */
function OptionsSection({ team }: SectionProps) {
  const { data } = useQuery(teamQuery(team));
  const most = data?.quotas.maxWorkflowRunDuration;
  const section = useSectionDraft<{ timeout: number | string; handlerTimeout: number | string; retries: number | string }>({
    section: "options",
    members: ["timeout", "handlerTimeout", "retries"],
    read: ({ timeout, handlerTimeout, retries }) => ({
      timeout: timeout ?? 0,
      handlerTimeout: handlerTimeout ?? "",
      retries: retries ?? 0,
    }),
    // A value of 0 means the same as an absent one.
    write: ({ timeout, handlerTimeout, retries }, before) => ({
      timeout: Number(timeout) || (before.timeout == null ? null : 0),
      handlerTimeout: handlerTimeout === "" ? null : Number(handlerTimeout),
      retries: Number(retries) || (before.retries == null ? null : 0),
    }),
  });
  const { value: draft, change, faultAt } = section;
  return (
    <Stack gap="sm" maw={560}>
      <NumberInput
        label={t("optionsSection.timeoutMinutes")}
        error={faultAt("/timeout")}
        description={most ? t("optionsSection.timeoutMinutesHelpQuota", { most }) : t("optionsSection.timeoutMinutesHelp")}
        min={0}
        max={525_600}
        allowDecimal={false}
        value={draft.timeout}
        onChange={(timeout) => change({ timeout })}
      />
      <NumberInput
        label={t("optionsSection.handlerTimeoutMinutes")}
        error={faultAt("/handlerTimeout")}
        description={t("optionsSection.handlerTimeoutMinutesHelp", { usual: defaultHandlerTimeout })}
        min={1}
        max={1440}
        allowDecimal={false}
        value={draft.handlerTimeout}
        onChange={(handlerTimeout) => change({ handlerTimeout })}
      />
      <NumberInput
        label={t("optionsSection.retries")}
        error={faultAt("/retries")}
        description={t("optionsSection.retriesHelp")}
        min={0}
        max={100}
        allowDecimal={false}
        value={draft.retries}
        onChange={(retries) => change({ retries })}
      />
      <Text size="sm" className="quiet">
        {t("optionsSection.thesePartVersionSaving")}
      </Text>
      <SaveBar team={team} section={section} />
    </Stack>
  );
}

/** The schedules of the workflow in short; the schedules page has the details. */
function SchedulesSection({ team, workflow }: SectionProps) {
  const query = useQuery(schedulesQuery(team, { workflows: [workflow.name] }));
  const { isDirty } = useDraft();
  const navigate = useNavigate();
  const whyNot = useRights(team).whyNot("schedule/write");
  const search = { workflows: [workflow.name] };
  return (
    <Stack gap="sm">
      {workflow.triggers?.schedule?.enabled !== true && (
        <Group gap="xs">
          <Text>{t.rich("schedulesSection.triggerScheduleOffSo", { em: (chunks) => <em>{chunks}</em> })}</Text>
          <TurnOnSchedules team={team} workflow={workflow.name} whyNot={isDirty ? t("schedulesSection.saveFirst") : undefined} />
        </Group>
      )}
      <DataTable
        label={t("schedulesSection.schedules")}
        minWidth={520}
        query={query}
        rows={query.data?.content}
        keyOf={({ id, name }) => id ?? name ?? ""}
        columns={[
          { title: t("schedulesSection.name"), cell: ({ name }) => name },
          {
            title: t("schedulesSection.when"),
            cell: ({ cronSchedule, timezone }) => (
              <>
                {cronSchedule ? <code>{cronSchedule}</code> : t("schedulesSection.oneTime")} <span className="quiet">{timezone}</span>
              </>
            ),
          },
          { title: t("schedulesSection.status"), kind: "short", cell: (schedule) => <ScheduleMark schedule={schedule} /> },
          {
            title: t("schedulesSection.next"),
            kind: "short",
            cell: ({ status, nextScheduleDate }) => <TimeText at={status === "active" ? nextScheduleDate : undefined} />,
          },
        ]}
        empty={<EmptyState title={t("schedulesSection.noSchedules")} />}
      />
      <Group>
        <ActionButton
          variant="default"
          whyNot={whyNot}
          onClick={() => void navigate({ to: paths.schedules(team), search: { edit: "new", workflow: workflow.name } })}
        >
          {t("schedulesSection.createSchedule")}
        </ActionButton>
        <Button variant="default" component={PlaceLink} to={paths.schedules(team)} search={search}>
          {t("schedulesSection.showSchedulesPage")}
        </Button>
      </Group>
    </Stack>
  );
}
