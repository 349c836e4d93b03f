import { Button, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { type Overview, overviewQuery } from "../../api/queries/settings.ts";
import { setupQuery } from "../../api/queries/setup.ts";
import { OverdueMark } from "../../components/actions/action-mark.tsx";
import { RunDuration } from "../../components/run-duration.tsx";
import { shortId } from "../../components/run-words.ts";
import { useCaller, useRights } from "../../hooks/use-caller.ts";
import { useChangesEverywhere } from "../../hooks/use-renew.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/home.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { LateOverlay } from "../../ui/dialog/late-overlay.tsx";
import { StatusMark } from "../../ui/mark/status-mark.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { LoadingState, QueryView } from "../../ui/state/not-loaded.tsx";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import { RowLink } from "../../ui/table/scroll-box.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import { FirstSteps } from "./first-steps.tsx";
import classes from "./home.module.css";
import { InstanceOverview, type LastAnswer, OpenProblems } from "./on-call.tsx";
import { TeamList } from "./team-list.tsx";
import { teamNameOf } from "./team-name.ts";

/** The form code is large, and few users create a team, so it is loaded on demand. */
const CreateTeamDialog = lazy(async () => ({ default: (await import("./create-team-dialog.tsx")).CreateTeamDialog }));

/** Only administrators of a new instance see it. */
const SetupChecklist = lazy(async () => ({ default: (await import("./setup-checklist.tsx")).SetupChecklist }));

type OverviewRun = Overview["runs"][number];

/** The latest runs in all of the user's teams. */
function RecentRuns({ runs, mine, onMine }: { runs: Overview["runs"]; mine: boolean; onMine: (mine: boolean) => void }) {
  return (
    <section aria-label={t("recentRuns.recentRuns")} className={classes.runs}>
      <div className={classes.head}>
        <Title order={2}>{t("recentRuns.recentRuns")}</Title>
        <Button size="compact-xs" variant="default" aria-pressed={mine} onClick={() => onMine(!mine)}>
          {t(mine ? "recentRuns.all" : "recentRuns.mine")}
        </Button>
      </div>
      <DataTable
        label={t("recentRuns.recentRuns")}
        isBare
        minWidth={600}
        columns={columns}
        rows={runs}
        keyOf={({ id }) => id}
        empty={
          <Text size="sm" className="quiet">
            {t("recentRuns.noRunsYet")}
          </Text>
        }
      />
    </section>
  );
}

const columns: Column<OverviewRun>[] = [
  {
    title: t("recentRuns.status"),
    kind: "short",
    width: 168,
    cell: ({ status, phase, waitKinds }) => <StatusMark status={status} phase={phase} waitKinds={waitKinds} />,
  },
  {
    title: t("recentRuns.run"),
    isTitle: true,
    isBreakable: true,
    cell: ({ id, teamName, workflowDisplayName, workflowName }) => (
      <RowLink to={paths.run(teamName, id)}>
        {workflowDisplayName || workflowName} <span className={classes.id}>{shortId(id)}</span>
      </RowLink>
    ),
  },
  {
    title: t("recentRuns.team"),
    width: 128,
    cell: ({ teamName, teamDisplayName }) => (
      <Link to={paths.activity(teamName)} className={classes.count}>
        {teamDisplayName || teamName}
      </Link>
    ),
  },
  { title: t("recentRuns.created"), width: 96, cell: ({ creationDate }) => <TimeText at={creationDate} /> },
  { title: t("recentRuns.duration"), kind: "number", width: 80, cell: (run) => <RunDuration run={run} /> },
];

/** Changes are reported at once, but not that the queue has become late, or that the database no longer responds. */
const healthMs = 30_000;

/** A user with fewer runs counts as new. */
const runsOfBeginners = 3;

const stillLoading = { data: undefined, error: null };

/** What users come for: what waits for them, what failed, the way into their teams, and what ran lately. */
export function HomePage() {
  const caller = useCaller();
  const rights = useRights();
  const [{ create, mine }, setSearch] = useSearchState({ create: false, mine: false });
  const query = useQuery({ ...overviewQuery(mine), refetchInterval: healthMs });
  // The checklist is above everything else: without it, the page would move when it comes.
  const setup = useQuery({ ...setupQuery, enabled: query.data?.setupOpen === true });
  // Every user may create a team. A token that acts as itself needs the permission for all teams.
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
      <Suspense fallback={<LoadingState label={t("homePage.loadingTeams")} rows={8} />}>
        <QueryView query={setup.isLoading ? stillLoading : query} label={t("homePage.loadingTeams")} rows={8}>
          {(overview) => (
            <Everything
              overview={overview}
              answer={{ at: query.dataUpdatedAt, isOutdated: query.isError }}
              whyNoTeam={whyNot}
              onCreate={open}
              mine={mine}
              onMine={(next) => setSearch({ mine: next })}
            />
          )}
        </QueryView>
      </Suspense>
      {create && whyNot === undefined && (
        <LateOverlay onClose={() => setSearch({ create: false })}>
          <CreateTeamDialog onClose={() => setSearch({ create: false })} />
        </LateOverlay>
      )}
    </>
  );
}

interface EverythingProps {
  overview: Overview;
  answer: LastAnswer;
  whyNoTeam: string | undefined;
  onCreate: () => void;
  /** Whether to show only runs that the user started. */
  mine: boolean;
  onMine: (mine: boolean) => void;
}

function Everything({ overview, answer, whyNoTeam, onCreate, mine, onMine }: EverythingProps) {
  const { teams, totalTeams, runs, setupOpen } = overview;
  // Both are above everything else, and may be over while they are looked at: they go with the next visit, so that nothing moves, or when
  // the reader closes them.
  const beginning = (withSetup: boolean) => ({ withSetup, withSteps: !withSetup && !mine && runs.length < runsOfBeginners });
  const [begins, setBegins] = useState(beginning(setupOpen === true));
  return (
    <div className={classes.page}>
      <div className={classes.main}>
        {begins.withSetup && <SetupChecklist teams={teams.map(({ name }) => name)} onClosed={() => setBegins(beginning(false))} />}
        {begins.withSteps && <FirstSteps teams={teams} runs={runs} whyNoTeam={whyNoTeam} onCreate={onCreate} />}
        <OwnActions overview={overview} />
        {totalTeams > 0 && <OpenProblems overview={overview} />}
      </div>
      <div className={classes.side}>
        <TeamList teams={teams} total={totalTeams} />
        {totalTeams > 0 && <InstanceOverview overview={overview} answer={answer} />}
      </div>
      <RecentRuns runs={runs} mine={mine} onMine={onMine} />
    </div>
  );
}

/** More of them would push everything else off the screen. */
const mostActions = 5;

/** What waits for the user in all of their teams, the oldest first. */
function OwnActions({ overview }: { overview: Overview }) {
  const { actions } = overview;
  const [isWhole, { open: showAll }] = useDisclosure(false);
  const shown = isWhole ? actions : actions.slice(0, mostActions);
  return (
    <section aria-label={t("ownActions.needsAttention")}>
      <Title order={2}>{t("ownActions.needsAttention")}</Title>
      {actions.length === 0 && (
        <Text size="sm" className="quiet">
          {t("ownActions.nothingNeedsAttention")}
        </Text>
      )}
      <ul className={classes.list}>
        {shown.map((action) => (
          <li key={action.id} className={classes.action}>
            <div className={classes.what}>
              <Link to={paths.action(action.teamName, action.id)} className={classes.name}>
                {action.title ?? action.taskName}
              </Link>{" "}
              <OverdueMark action={action} />
              <Text size="xs" className="quiet">
                {t.rich("ownActions.opened", {
                  workflowName: action.workflowDisplayName || action.workflowName,
                  teamName: teamNameOf(overview, action.teamName),
                  time: () => <TimeText at={action.creationDate} />,
                })}
                {action.deadline && <> {t.rich("ownActions.deadline", { time: () => <TimeText at={action.deadline} /> })}</>}
              </Text>
            </div>
            <Button
              component={Link}
              to={paths.action(action.teamName, action.id)}
              size="compact-sm"
              variant="default"
              aria-label={t("ownActions.decideAction", {
                taskName: action.title ?? action.taskName,
                workflowName: action.workflowDisplayName || action.workflowName,
              })}
            >
              {t("ownActions.decide")}
            </Button>
          </li>
        ))}
      </ul>
      {shown.length < actions.length && (
        <Button mt="xs" size="compact-sm" variant="subtle" onClick={showAll}>
          {t("ownActions.showAll", { count: actions.length })}
        </Button>
      )}
    </section>
  );
}
