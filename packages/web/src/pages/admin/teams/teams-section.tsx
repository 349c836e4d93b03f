import { Group, Select, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { allTeamsQuery, type Team, teamsPageSize } from "../../../api/queries/all-teams.ts";
import { HowTo } from "../../../components/how-to/how-to.tsx";
import { curlCommand } from "../../../components/how-to/set-up-command.ts";
import { useRights } from "../../../hooks/use-caller.ts";
import { useSearchState } from "../../../hooks/use-search-state.ts";
import { t } from "../../../texts/administration.ts";
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
  { label: t("teamsSection.listTeams"), command: curlCommand("GET", "/api/v2/team/query?limit=100&page=0") },
  {
    label: t("teamsSection.createTeam"),
    command: curlCommand("POST", "/api/v2/team", { name: "the-hawks", displayName: t("teamsSection.hawks") }),
  },
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
      {t("teamsSection.createTeamAction")}
    </ActionButton>
  );
  const shown = data?.content;
  const isFiltered = find !== "" || status !== "";
  return (
    <>
      <PageHeader title={t("teamsSection.teams")} detail={data && !isFiltered && countText(data.totalElements)}>
        <HowTo title={t("teamsSection.teamsApi")} commands={commands} />
        {create}
      </PageHeader>
      <Group gap="xs" className={classes.tools}>
        <SearchField
          label={t("teamsSection.findTeams")}
          placeholder={t("teamsSection.findTeamsPlaceholder")}
          width={240}
          value={String(find)}
          onSearch={(text) => change({ find: text, page: 0 })}
        />
        <Select
          size="xs"
          aria-label={t("teamsSection.status")}
          w={160}
          data={[
            { value: "", label: t("teamsSection.anyStatus") },
            { value: "active", label: t("teamsSection.active") },
            { value: "inactive", label: t("teamsSection.inactive") },
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
        <NothingFound things={t("teamsSection.teams2")} search={String(find)} onClear={() => change({ find: "", status: "", page: 0 })} />
      )}
      {shown?.length === 0 && !isFiltered && (
        <EmptyState title={t("teamsSection.noTeamsYet")}>
          <Text className="quiet">{t("teamsSection.teamOwnsWorkflowsTasks")}</Text>
          {create}
        </EmptyState>
      )}
      <NotLoaded query={query} label={t("teamsSection.loadingTeams")} />
      <CreateTeamDialog isOpen={isCreating} onClose={() => setCreating(false)} />
      {quotasOf && <QuotasDialog team={quotasOf} onClose={() => setQuotasOf(undefined)} />}
      <TeamStatusDialog team={statusOf} onClose={() => setStatusOf(undefined)} />
    </>
  );
}

function countText(total: number): string {
  return t("teamsSection.teamTeams", { total });
}
