import { Group, Select, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { allTeamsQuery, type Team, teamsListed } from "../../../api/queries/all-teams.ts";
import { HowTo } from "../../../components/how-to/how-to.tsx";
import { curlCommand } from "../../../components/how-to/set-up-command.ts";
import { useRights } from "../../../hooks/use-caller.ts";
import { useSearchState } from "../../../hooks/use-search-state.ts";
import { DeedButton } from "../../../ui/deed-button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ErrorState } from "../../../ui/error-state.tsx";
import { LoadingState } from "../../../ui/loading-state.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import classes from "../admin.module.css";
import { matches } from "../matches.ts";
import { CreateTeamDialog } from "./create-team-dialog.tsx";
import { QuotasDialog } from "./quotas-dialog.tsx";
import { TeamStatusDialog } from "./team-status-dialog.tsx";
import { TeamTable } from "./team-table.tsx";

const commands = [
  { label: "List the teams", command: curlCommand("GET", "/api/v2/team/query?limit=100&page=0") },
  { label: "Create one", command: curlCommand("POST", "/api/v2/team", { name: "the-hawks", displayName: "The Hawks" }) },
];

/** All teams of the instance with what they use of their quotas. */
export function TeamsSection() {
  const { data, error, refetch } = useQuery(allTeamsQuery);
  const [{ find, status }, change] = useSearchState({ find: "", status: "" });
  const [isCreating, setCreating] = useState(false);
  const [quotasOf, setQuotasOf] = useState<Team>();
  const [statusOf, setStatusOf] = useState<Team>();
  const whyNot = useRights().whyNot("team/write");
  const create = (
    <DeedButton size="xs" whyNot={whyNot} onClick={() => setCreating(true)}>
      Create a team
    </DeedButton>
  );
  const shown = data?.content.filter((team) => matches(find, team.name, team.displayName) && (status === "" || team.status === status));
  return (
    <>
      <PageHeader title="Teams" detail={data && countText(data.totalElements)}>
        <HowTo title="Teams by the API" commands={commands} />
        {create}
      </PageHeader>
      <Group gap="xs" className={classes.tools}>
        <TextInput
          size="xs"
          aria-label="Find teams"
          placeholder="Find by name"
          value={find}
          onChange={(event) => change({ find: event.currentTarget.value })}
        />
        <Select
          size="xs"
          aria-label="Status"
          w={160}
          data={[
            { value: "", label: "Every status" },
            { value: "active", label: "Active" },
            { value: "inactive", label: "Inactive" },
          ]}
          value={status}
          allowDeselect={false}
          onChange={(value) => change({ status: value ?? "" })}
        />
      </Group>
      {shown !== undefined && shown.length > 0 && <TeamTable teams={shown} onQuotas={setQuotasOf} onStatus={setStatusOf} />}
      {shown?.length === 0 && (
        <EmptyState title={data?.content.length === 0 ? "No teams yet" : "No team is like that"}>
          <Text className="quiet">A team owns workflows, tasks, runs and schedules; people are its members.</Text>
          {data?.content.length === 0 && create}
        </EmptyState>
      )}
      {data === undefined &&
        (error === null ? <LoadingState label="Loading the teams" /> : <ErrorState error={error} onRetry={() => void refetch()} />)}
      <CreateTeamDialog isOpen={isCreating} onClose={() => setCreating(false)} />
      {quotasOf && <QuotasDialog team={quotasOf} onClose={() => setQuotasOf(undefined)} />}
      <TeamStatusDialog team={statusOf} onClose={() => setStatusOf(undefined)} />
    </>
  );
}

function countText(total: number): string {
  const all = total === 1 ? "1 team" : `${total} teams`;
  return total > teamsListed ? `The first ${teamsListed} of ${all}` : all;
}
