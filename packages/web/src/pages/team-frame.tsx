import { useQuery } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import { teamQuery } from "../api/queries/teams.ts";
import { useChanges } from "../hooks/use-changes.ts";
import { useTeam } from "../hooks/use-team.ts";
import { t } from "../texts/frame.ts";
import { QueryView } from "../ui/state/query-view.tsx";
import { TabPlace } from "../ui/tab-title.ts";

/** Finds the team of the address, and keeps what its pages show up to date. */
export function TeamFrame() {
  const team = useTeam();
  const query = useQuery(teamQuery(team));
  useChanges(team);
  return (
    <QueryView query={query} label={t("teamFrame.loadingTeam")}>
      {({ displayName, name }) => (
        <TabPlace value={displayName || name}>
          <Outlet />
        </TabPlace>
      )}
    </QueryView>
  );
}
