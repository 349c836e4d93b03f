import { Button, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import type { components } from "@millrace/client/schema.generated.ts";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { teamQuery } from "../../api/queries/identity/session.ts";
import { type WorkflowFilter, workflowListQuery } from "../../api/queries/workflow/workflows.ts";
import { WorkflowIcon } from "../../components/workflow-icon.tsx";
import { useRights } from "../../hooks/use-caller.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { useTeam } from "../../hooks/use-team.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/workflow/workflows.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { numberText } from "../../ui/format.ts";
import { NothingFound } from "../../ui/list/list-page.tsx";
import { PageChoice } from "../../ui/list/search-field.tsx";
import { PageHeader, PlaceLink } from "../../ui/page-header.tsx";
import { NotLoaded } from "../../ui/state/not-loaded.tsx";
import { EmptyState } from "../../ui/state/notice.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import { ActiveState, RunStrip, SuccessRate, TriggerMarks } from "./row-parts.tsx";
import { type ListState, listDefaults, sortOf } from "./use-creation.ts";
import { useWorkflowActions, type WorkflowActions } from "./use-workflow-actions.tsx";
import { WorkflowFilters } from "./workflow-filters.tsx";
import { WorkflowGroups } from "./workflow-groups.tsx";
import { WorkflowMenu } from "./workflow-menu.tsx";
import { toRow, type WorkflowRow } from "./workflow-rows.ts";
import { WorkflowTable } from "./workflow-table.tsx";
import classes from "./workflows.module.css";

type Quotas = components["schemas"]["CurrentQuotas"];

/** How much of the team's quotas is used, in one line. Highlighted only when little is left. */
function QuotaLine({ quotas }: { quotas: Quotas }) {
  return (
    <ul className={classes.quotas} aria-label={t("quotaLine.teamQuotas")}>
      <Used now={quotas.currentWorkflowCount} most={quotas.maxWorkflowCount} what={(count) => t("quotaLine.workflows", { count })} />
      <Used now={quotas.currentRuns} most={quotas.maxWorkflowRunMonthly} what={(count) => t("quotaLine.runsMonth", { count })}>
        {" "}
        {t.rich("quotaLine.resets", { time: () => <TimeText at={quotas.monthlyResetDate} /> })}
      </Used>
      <Used now={quotas.currentConcurrentRuns} most={quotas.maxConcurrentRuns} what={() => t("quotaLine.runningNow")} />
    </ul>
  );
}

interface UsedProps {
  now: number;
  most: number | null | undefined;
  /** What is counted, for the number before it. */
  what: (count: number) => string;
  children?: React.ReactNode;
}

/** A number that no team reaches; treated as no limit. */
const unlimited = 1_000_000_000;

function Used({ now, most, what, children }: UsedProps) {
  const has = most !== null && most !== undefined && most < unlimited;
  const isScarce = has && now >= most * 0.9 && most > 0;
  return (
    <li data-scarce={isScarce || undefined}>
      {has ? t("quotaLine.of", { now, most }) : numberText(now)} {what(has ? most : now)}
      {isScarce && ` ${t(now < most ? "quotaLine.nearlyUsedUp" : "quotaLine.usedUp")}`}
      {children}
    </li>
  );
}

/** Shown for a team without workflows: the ways to create the first one. */
function NoWorkflows({ team }: { team: string }) {
  const whyNot = useRights(team).whyNot("workflow/write");
  return (
    <EmptyState title={t("noWorkflows.noWorkflowsYet")}>
      <Text className="quiet" maw={480}>
        {t("noWorkflows.workflowGraphTasksRun")}
      </Text>
      {whyNot === undefined ? (
        <Group gap="xs" justify="center">
          {ways.map(({ from, word }, index) => (
            <Button
              key={from}
              variant={index === 0 ? "filled" : "default"}
              component={PlaceLink}
              to={paths.workflowCreate(team)}
              search={{ from }}
            >
              {word}
            </Button>
          ))}
        </Group>
      ) : (
        <Text className="quiet">{whyNot}</Text>
      )}
    </EmptyState>
  );
}

const ways = [
  { from: "template", word: t("noWorkflows.startTemplate") },
  { from: "scratch", word: t("noWorkflows.startScratch") },
  { from: "file", word: t("noWorkflows.importFile") },
] as const;

const pageSize = 50;

/** The workflows of a team: what they are, how their runs went, and the actions for them. */
export function WorkflowsPage() {
  const team = useTeam();
  const navigate = useNavigate();
  const { data: about } = useQuery(teamQuery(team));
  return (
    <>
      <PageHeader title={t("workflowsPage.workflows")} detail={about && <QuotaLine quotas={about.quotas} />}>
        <CreateButton team={team} onClick={() => void navigate({ to: paths.workflowCreate(team) })} />
      </PageHeader>
      <WorkflowList team={team} />
    </>
  );
}

function CreateButton({ team, onClick }: { team: string; onClick: () => void }) {
  const rights = useRights(team);
  const { data } = useQuery(teamQuery(team));
  const { maxWorkflowCount: most, currentWorkflowCount = 0 } = data?.quotas ?? {};
  const isFull = most !== undefined && most !== null && currentWorkflowCount >= most;
  const whyNot = rights.whyNot("workflow/write") ?? (isFull ? t("workflowsPage.teamHasReachedQuota", { most }) : undefined);
  return (
    <ActionButton size="xs" whyNot={whyNot} onClick={onClick}>
      {t("workflowsPage.createWorkflow")}
    </ActionButton>
  );
}

function filterOf({ q, status, labels }: ListState): WorkflowFilter {
  const statuses = status === "active" || status === "inactive" ? [status as "active"] : [];
  const only = status === "favourites" || status === "archived" ? (status as "archived") : undefined;
  return { statuses, only, labels, search: String(q) };
}

const orderOf = ({ sort, desc, page }: ListState) => ({ sortBy: sortOf[sort] ?? sortOf.last, isDescending: desc, page: page - 1 });

const noFilter = { q: "", status: "", labels: [], page: 1 };

function WorkflowList({ team }: { team: string }) {
  const [state, change] = useSearchState<ListState>(listDefaults);
  const filter = filterOf(state);
  const { search } = filter;
  const isGrouped = state.group !== "";
  // For a grouped list only the total is needed, to know whether there are any workflows.
  const query = useQuery(workflowListQuery(team, { ...filter, ...orderOf(state), limit: isGrouped ? 1 : pageSize }));
  const { data, isPlaceholderData } = query;
  const actions = useWorkflowActions(team);
  if (data === undefined) return <NotLoaded query={query} label={t("workflowsPage.loadingWorkflows")} />;
  const isFiltered = search !== "" || state.status !== "" || state.labels.length > 0;
  // Placeholder data belongs to the previous filters and says nothing about the team: the filters stay in place and keep the focus.
  if (data.totalElements === 0 && !isFiltered && !isPlaceholderData) return <NoWorkflows team={team} />;
  const rows = data.content.map(toRow);
  const List = state.view === "cards" ? WorkflowCards : WorkflowTable;
  const shared = { team, actions, state, onChange: change, onClear: () => change(noFilter) };
  return (
    <Stack gap="sm" px="md" pb="md">
      <WorkflowFilters team={team} state={state} onChange={change} found={data.totalElements} />
      {isGrouped ? (
        <WorkflowGroups {...shared} filter={filter} list={List} />
      ) : rows.length === 0 ? (
        <NothingFound things={t("workflowsPage.workflows2")} search={search} onClear={shared.onClear} />
      ) : (
        <List {...shared} rows={rows} />
      )}
      {!isGrouped && data.totalPages > 1 && (
        <PageChoice page={state.page - 1} size={pageSize} total={data.totalElements} onChange={(page) => change({ page: page + 1 })} />
      )}
      {actions.dialogs}
    </Stack>
  );
}

interface WorkflowCardsProps {
  team: string;
  rows: readonly WorkflowRow[];
  actions: WorkflowActions;
}

/** The table as cards with descriptions, for a small number of workflows that readers don't know yet. */
function WorkflowCards({ team, rows, actions }: WorkflowCardsProps) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3, xl: 4 }} spacing="sm" verticalSpacing="sm">
      {rows.map((row) => (
        <WorkflowCard key={row.id} team={team} row={row} actions={actions} />
      ))}
    </SimpleGrid>
  );
}

function WorkflowCard({ team, row, actions }: { team: string; row: WorkflowRow; actions: WorkflowActions }) {
  return (
    <article className={classes.card}>
      <Group justify="space-between" wrap="nowrap" gap="xs" align="flex-start">
        <span className={classes.title}>
          <WorkflowIcon name={row.workflow.icon} />
          <Link to={paths.workflow(team, row.name)} className={classes.name}>
            {row.title}
          </Link>
        </span>
        <WorkflowMenu team={team} row={row} actions={actions} />
      </Group>
      <Text size="sm" className="quiet" lineClamp={2} flex={1}>
        {row.workflow.description || t("workflowCards.noDescription")}
      </Text>
      <Group gap="md">
        <ActiveState isActive={row.isActive} />
        <TriggerMarks kinds={row.triggers} />
      </Group>
      <RunStrip team={team} runs={row.runs} of={row.title} />
      {row.lastRun !== undefined && (
        <Group gap="xs" className="quiet">
          <span>
            {t.rich("workflowCards.succeeded", { successRate: () => <SuccessRate succeeded={row.succeeded} rated={row.rated} /> })}
          </span>
          <span>{t.rich("workflowCards.lastRun", { time: () => <TimeText at={row.lastRun} /> })}</span>
        </Group>
      )}
    </article>
  );
}
