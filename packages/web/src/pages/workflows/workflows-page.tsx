import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { teamQuery } from "../../api/queries/teams.ts";
import { workflowListQuery } from "../../api/queries/workflows.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { useTeam } from "../../hooks/use-team.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/workflows.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { NothingFound } from "../../ui/list/nothing-found.tsx";
import { PageChoice } from "../../ui/list/page-choice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { NotLoaded } from "../../ui/state/not-loaded.tsx";
import { type ListState, listDefaults, sortOf } from "./list-state.ts";
import { NoWorkflows } from "./no-workflows.tsx";
import { QuotaLine } from "./quota-line.tsx";
import { useWorkflowActions } from "./use-workflow-actions.tsx";
import { WorkflowCards } from "./workflow-cards.tsx";
import { WorkflowFilters } from "./workflow-filters.tsx";
import { toRow } from "./workflow-rows.ts";
import { WorkflowTable } from "./workflow-table.tsx";

const pageSize = 50;

/** The workflows of a team: what they are, how they do, and what can be done with them. */
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

function filterOf({ status, labels, sort, desc, page }: ListState) {
  const statuses = status === "" ? [] : [status as "active"];
  return { statuses, labels, sortBy: sortOf[sort] ?? sortOf.last, isDescending: desc, page: page - 1 };
}

function WorkflowList({ team }: { team: string }) {
  const [state, change] = useSearchState<ListState>(listDefaults);
  const search = String(state.q);
  const query = useQuery(workflowListQuery(team, { ...filterOf(state), search, limit: pageSize }));
  const { data, isPlaceholderData } = query;
  const actions = useWorkflowActions(team);
  if (data === undefined) return <NotLoaded query={query} label={t("workflowsPage.loadingWorkflows")} />;
  const isFiltered = search !== "" || state.status !== "" || state.labels.length > 0;
  // What the filters found before says nothing of the team: the filters stay where they are, with the focus.
  if (data.totalElements === 0 && !isFiltered && !isPlaceholderData) return <NoWorkflows team={team} />;
  const rows = data.content.map(toRow);
  const List = state.view === "cards" ? WorkflowCards : WorkflowTable;
  return (
    <Stack gap="sm" px="md" pb="md">
      <WorkflowFilters state={state} onChange={change} rows={rows} found={data.totalElements} />
      {rows.length === 0 ? (
        <NothingFound
          things={t("workflowsPage.workflows2")}
          search={search}
          onClear={() => change({ q: "", status: "", labels: [], page: 1 })}
        />
      ) : (
        <List team={team} rows={rows} actions={actions} state={state} onChange={change} />
      )}
      {data.totalPages > 1 && (
        <PageChoice page={state.page - 1} size={pageSize} total={data.totalElements} onChange={(page) => change({ page: page + 1 })} />
      )}
      {actions.dialogs}
    </Stack>
  );
}
