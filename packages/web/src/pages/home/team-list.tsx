import { Table, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Overview } from "../../api/queries/overview.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/home.ts";
import classes from "./home.module.css";

/** The teams with what they have; each number leads to the things that it counts. */
export function TeamList({ teams, total }: { teams: Overview["teams"]; total: number }) {
  return (
    <section aria-label={t("teamList.teams")} className={classes.teams}>
      <Title order={2}>{t("teamList.teams")}</Title>
      {teams.length === 0 ? (
        <Text size="sm" className="quiet">
          {t("teamList.arentMemberAnyTeam")}
        </Text>
      ) : (
        <Table.ScrollContainer minWidth={360} scrollAreaProps={{ viewportProps: { tabIndex: 0, "aria-label": t("teamList.teams") } }}>
          <Table highlightOnHover verticalSpacing={6} horizontalSpacing="xs" className={classes.table}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t("teamList.team")}</Table.Th>
                <Table.Th className={classes.figure}>{t("teamList.workflows")}</Table.Th>
                <Table.Th className={classes.figure}>{t("teamList.members")}</Table.Th>
                <Table.Th className={classes.figure}>{t("teamList.running")}</Table.Th>
                <Table.Th className={classes.figure}>{t("teamList.actions")}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {teams.map((team) => (
                <TeamRow key={team.id} team={team} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {total > teams.length && (
        <Text size="sm" className="quiet">
          {t("teamList.firstOthersPressCtrl", { count: teams.length, total })}
        </Text>
      )}
    </section>
  );
}

function TeamRow({ team }: { team: Overview["teams"][number] }) {
  const { name, displayName, status, workflows, members, runningRuns, openActions } = team;
  const number = (count: number, to: string, what: string) => (
    <Table.Td className={classes.figure}>
      <Link
        to={to}
        className={count === 0 ? classes.none : classes.count}
        aria-label={t("teamList.of", { count, what, displayName: displayName || name })}
      >
        {count.toLocaleString()}
      </Link>
    </Table.Td>
  );
  return (
    <Table.Tr>
      <Table.Td>
        <Link to={paths.workflows(name)} className={classes.name}>
          {displayName || name}
        </Link>
        {status === "inactive" && <span className="quiet"> {t("teamList.inactive")}</span>}
      </Table.Td>
      {number(workflows, paths.workflows(name), "workflows")}
      {number(members, paths.manage(name), "members")}
      {number(runningRuns, `${paths.activity(name)}?phase=%5B%22running%22%5D`, t("teamList.runningRuns"))}
      {number(openActions, paths.actions(name), t("teamList.openActions"))}
    </Table.Tr>
  );
}
