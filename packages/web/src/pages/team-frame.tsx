import { useQuery } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import { teamQuery } from "../api/queries/teams.ts";
import { useChanges } from "../hooks/use-changes.ts";
import { useTeam } from "../hooks/use-team.ts";
import { ErrorState } from "../ui/state/error-state.tsx";
import { LoadingState } from "../ui/state/loading-state.tsx";
import { TabPlace } from "../ui/tab-title.ts";

/** Finds the team of the address, and keeps what its pages show up to date. */
export function TeamFrame() {
  const team = useTeam();
  const { data, error, refetch } = useQuery(teamQuery(team));
  useChanges(team);
  if (error !== null && data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LoadingState label="Loading team" />;
  return (
    <TabPlace value={data.displayName || data.name}>
      <Outlet />
    </TabPlace>
  );
}
