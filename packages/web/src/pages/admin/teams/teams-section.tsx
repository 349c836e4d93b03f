import { Group, Select, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { allTeamsQuery, type Team, teamsPageSize } from "../../../api/queries/all-teams.ts";
import { HowTo } from "../../../components/how-to/how-to.tsx";
import { curlCommand } from "../../../components/how-to/set-up-command.ts";
import { useRights } from "../../../hooks/use-caller.ts";
import { useSearchState } from "../../../hooks/use-search-state.ts";
import { ActionButton } from "../../../ui/dialog/action-button.tsx";
import { NothingFound } from "../../../ui/list/nothing-found.tsx";
import { PageChoice } from "../../../ui/list/page-choice.tsx";
import { SearchField } from "../../../ui/list/search-field.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { EmptyState } from "../../../ui/state/empty-state.tsx";
import { NotLoaded } from "../../../ui/state/not-loaded.tsx";
import classes from "../admin.module.css";
import { CreateTeamDialog } from "./create-team-dialog.tsx";
import { QuotasDialog } from "./quotas-dialog.tsx";
import { TeamStatusDialog } from "./team-status-dialog.tsx";
import { TeamTable } from "./team-table.tsx";

const commands = [
  { label: "List teams", command: curlCommand("GET", "/api/v2/team/query?limit=100&page=0") },
  { label: "Create a team", command: curlCommand("POST", "/api/v2/team", { name: "the-hawks", displayName: "The Hawks" }) },
];

/** All teams of the instance with what they use of their quotas. */
export function TeamsSection() {
  const [{ find, status, page }, change] = useSearchState({ find: "", status: "", page: 0 });
  const query = useQuery(allTeamsQuery({ search: String(find), status, page }));
  const { data } = query;
  const [isCreating, setCreating] = useState(false);
  const [quotasOf, setQuotasOf] = useState<Team>();
  const [statusOf, setStatusOf] = useState<Team>();
  const whyNot = useRights().whyNot("team/write");
  const create = (
    <ActionButton size="xs" whyNot={whyNot} onClick={() => setCreating(true)}>
      Create team
    </ActionButton>
  );
  const shown = data?.content;
  const isFiltered = find !== "" || status !== "";
  return (
    <>
      <PageHeader title="Teams" detail={data && !isFiltered && countText(data.totalElements)}>
        <HowTo title="Teams by the API" commands={commands} />
        {create}
      </PageHeader>
      <Group gap="xs" className={classes.tools}>
        <SearchField
          label="Find teams"
          placeholder="Find by name"
          width={240}
          value={String(find)}
          onSearch={(text) => change({ find: text, page: 0 })}
        />
        <Select
          size="xs"
          aria-label="Status"
          w={160}
          data={[
            { value: "", label: "Any status" },
            { value: "active", label: "Active" },
            { value: "inactive", label: "Inactive" },
          ]}
          value={status}
          allowDeselect={false}
          onChange={(value) => change({ status: value ?? "", page: 0 })}
        />
      </Group>
      {shown !== undefined && shown.length > 0 && <TeamTable teams={shown} onQuotas={setQuotasOf} onStatus={setStatusOf} />}
      {shown && data && (
        <PageChoice page={page} size={teamsPageSize} total={data.totalElements} onChange={(next) => change({ page: next })} />
      )}
      {shown?.length === 0 && isFiltered && (
        <NothingFound things="teams" search={String(find)} onClear={() => change({ find: "", status: "", page: 0 })} />
      )}
      {shown?.length === 0 && !isFiltered && (
        <EmptyState title="No teams yet">
          <Text className="quiet">A team owns workflows, tasks, runs and schedules, and has members.</Text>
          {create}
        </EmptyState>
      )}
      <NotLoaded query={query} label="Loading teams" />
      <CreateTeamDialog isOpen={isCreating} onClose={() => setCreating(false)} />
      {quotasOf && <QuotasDialog team={quotasOf} onClose={() => setQuotasOf(undefined)} />}
      <TeamStatusDialog team={statusOf} onClose={() => setStatusOf(undefined)} />
    </>
  );
}

function countText(total: number): string {
  return total === 1 ? "1 team" : `${total.toLocaleString()} teams`;
}
