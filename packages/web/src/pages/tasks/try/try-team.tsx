import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { allTeamsQuery } from "../../../api/queries/all-teams.ts";
import type { TaskScope } from "../../../api/queries/tasks.ts";
import { useCaller } from "../../../hooks/use-caller.ts";
import { t } from "../../../texts/tasks.ts";

/**
 * Names of the teams in which a task can be tried: its own, or for a global one all that the caller can see; administrators are
 * seldom members.
 */
export function useTryTeams(scope: TaskScope): readonly string[] {
  const { teams } = useCaller();
  const { data } = useQuery({ ...allTeamsQuery({ search: "", status: "active", page: 0 }), enabled: scope === undefined });
  if (scope !== undefined) return [scope];
  return (data?.content ?? teams).map(({ name }) => name ?? "");
}

interface TryTeamProps {
  teams: readonly string[];
  team: string;
  onTeam: (team: string) => void;
}

/** In which team a global task is tried. */
export function TryTeam({ teams, team, onTeam }: TryTeamProps) {
  return (
    <Select
      label={t("tryTeam.team")}
      description={t("tryTeam.teamHelp")}
      data={teams}
      value={team || null}
      allowDeselect={false}
      searchable
      onChange={(next) => onTeam(next ?? "")}
    />
  );
}
