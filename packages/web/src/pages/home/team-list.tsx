import { Text, Title } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import type { Overview } from "../../api/queries/settings.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/home.ts";
import { numberText } from "../../ui/format.ts";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import { RowLink } from "../../ui/table/scroll-box.tsx";
import classes from "./home.module.css";

/** The teams with their counts; each number links to what it counts. */
export function TeamList({ teams, total }: { teams: Overview["teams"]; total: number }) {
  // A line for each team leaves room for what needs someone; the rest is one press away.
  const isPhone = useMediaQuery("(max-width: 40em)", false, { getInitialValueInEffect: false });
  return (
    <section aria-label={t("teamList.teams")} className={classes.teams}>
      <Title order={2}>{t("teamList.teams")}</Title>
      <DataTable
        label={t("teamList.teams")}
        isBare
        {...(!isPhone && { minWidth: 360 })}
        columns={isPhone ? columns.filter(({ title }) => !notOnPhone.has(title)) : columns}
        rows={teams}
        keyOf={({ id }) => id}
        empty={
          <Text size="sm" className="quiet">
            {t("teamList.arentMemberAnyTeam")}
          </Text>
        }
      />
      {total > teams.length && (
        <Text size="sm" className="quiet">
          {t("teamList.firstOthersPressCtrl", { count: teams.length, total })}
        </Text>
      )}
    </section>
  );
}

type OverviewTeam = Overview["teams"][number];

type CountName = "workflowsOf" | "membersOf" | "runningRunsOf" | "openActionsOf";

/** A number that links to what it counts. */
function count(title: string, of: (team: OverviewTeam) => number, to: (team: string) => string, name: CountName): Column<OverviewTeam> {
  return {
    title,
    kind: "number",
    cell: (team) => (
      <Link
        to={to(team.name)}
        className={of(team) === 0 ? classes.none : classes.count}
        aria-label={t(`teamList.${name}`, { count: of(team), team: team.displayName || team.name })}
      >
        {numberText(of(team))}
      </Link>
    ),
  };
}

const notOnPhone = new Set([t("teamList.workflows"), t("teamList.members")]);

const columns: Column<OverviewTeam>[] = [
  {
    title: t("teamList.team"),
    cell: ({ name, displayName, status }) => (
      <>
        <RowLink to={paths.workflows(name)}>{displayName || name}</RowLink>
        {status === "inactive" && <span className="quiet"> {t("teamList.inactive")}</span>}
      </>
    ),
  },
  count(t("teamList.workflows"), ({ workflows }) => workflows, paths.workflows, "workflowsOf"),
  count(
    t("teamList.members"),
    ({ members }) => members,
    (team) => paths.manage(team),
    "membersOf",
  ),
  count(
    t("teamList.running"),
    ({ runningRuns }) => runningRuns,
    (team) => `${paths.activity(team)}?statuses=%5B%22running%22%5D`,
    "runningRunsOf",
  ),
  count(t("teamList.actions"), ({ openActions }) => openActions, paths.actions, "openActionsOf"),
];
