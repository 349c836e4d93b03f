import { useQuery } from "@tanstack/react-query";
import { type Overview, overviewQuery } from "../../api/queries/overview.ts";
import { useCaller, useRights } from "../../hooks/use-caller.ts";
import { useChangesEverywhere } from "../../hooks/use-changes.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { t } from "../../texts/home.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { QueryView } from "../../ui/state/query-view.tsx";
import { CreateTeamDialog } from "./create-team-dialog.tsx";
import { FirstSteps } from "./first-steps.tsx";
import classes from "./home.module.css";
import { OwnActions } from "./own-actions.tsx";
import { RecentRuns } from "./recent-runs.tsx";
import { TeamList } from "./team-list.tsx";

/** With fewer runs than these, somebody is new here. */
const runsOfBeginners = 3;

/** What somebody comes for: what waits for him, what ran lately, and the way into his teams. */
export function HomePage() {
  const caller = useCaller();
  const rights = useRights();
  const [{ create }, setSearch] = useSearchState({ create: false });
  const query = useQuery(overviewQuery);
  // Every person may; a token that acts as itself needs the permission for all teams.
  const whyNot = caller.userId === null ? rights.whyNot("team/write") : undefined;
  useChangesEverywhere();
  const open = () => setSearch({ create: true });
  return (
    <>
      <PageHeader title={t("homePage.home")} detail={t("homePage.signed", { name: caller.name })}>
        <ActionButton size="xs" whyNot={whyNot} onClick={open}>
          {t("homePage.createTeam")}
        </ActionButton>
      </PageHeader>
      <QueryView query={query} label={t("homePage.loadingTeams")} rows={8}>
        {(overview) => <Everything overview={overview} whyNoTeam={whyNot} onCreate={open} />}
      </QueryView>
      {create && whyNot === undefined && <CreateTeamDialog onClose={() => setSearch({ create: false })} />}
    </>
  );
}

function Everything({ overview, whyNoTeam, onCreate }: { overview: Overview; whyNoTeam: string | undefined; onCreate: () => void }) {
  const { teams, totalTeams, actions, runs } = overview;
  return (
    <div className={classes.page}>
      <div className={classes.main}>
        {runs.length < runsOfBeginners && <FirstSteps teams={teams} runs={runs} whyNoTeam={whyNoTeam} onCreate={onCreate} />}
        <OwnActions actions={actions} />
        <RecentRuns runs={runs} />
      </div>
      <TeamList teams={teams} total={totalTeams} />
    </div>
  );
}
