import { MultiSelect, Stack, Switch } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { teamsQuery } from "../../api/queries/teams.ts";
import { t } from "../../texts/parameters.ts";

interface ParameterTeamsProps {
  /** Ids; null: all teams. */
  teams: readonly string[] | null;
  onChange: (teams: readonly string[] | null) => void;
}

/** Which teams may use a global parameter. For the others it does not exist. */
export function ParameterTeams({ teams, onChange }: ParameterTeamsProps) {
  const [search, setSearch] = useState("");
  const { data } = useQuery(teamsQuery(search));
  const [names, setNames] = useState<Readonly<Record<string, string>>>({});
  const found = (data?.content ?? []).map(({ id, name, displayName }) => ({ value: id ?? "", label: displayName || (name ?? "") }));
  const chosen = (teams ?? [])
    .filter((id) => !found.some(({ value }) => value === id))
    .map((id) => ({ value: id, label: names[id] ?? id }));
  const choose = (ids: string[]) => {
    setNames({ ...names, ...Object.fromEntries(found.map(({ value, label }) => [value, label])) });
    onChange(ids);
  };
  return (
    <Stack gap="xs">
      <Switch
        label={t("parameterTeams.availableAllTeams")}
        checked={teams === null}
        onChange={(event) => onChange(event.currentTarget.checked ? null : [])}
      />
      {teams !== null && (
        <MultiSelect
          label={t("parameterTeams.teams")}
          description={t("parameterTeams.teamsHelp")}
          data={[...chosen, ...found]}
          value={[...teams]}
          onChange={choose}
          searchable
          searchValue={search}
          onSearchChange={setSearch}
          nothingFoundMessage={t("parameterTeams.noTeamName")}
        />
      )}
    </Stack>
  );
}
