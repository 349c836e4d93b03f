import { Table, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Overview } from "../../api/queries/overview.ts";
import { paths } from "../../paths.ts";
import classes from "./home.module.css";

/** The teams with what they have; each number leads to the things that it counts. */
export function TeamList({ teams, total }: { teams: Overview["teams"]; total: number }) {
  return (
    <section aria-label="Teams" className={classes.teams}>
      <Title order={2}>Teams</Title>
      {teams.length === 0 ? (
        <Text size="sm" className="quiet">
          You aren't a member of any team yet. Create one, or ask an owner to add you.
        </Text>
      ) : (
        <Table.ScrollContainer minWidth={360} scrollAreaProps={{ viewportProps: { tabIndex: 0, "aria-label": "Teams" } }}>
          <Table highlightOnHover verticalSpacing={6} horizontalSpacing="xs" className={classes.table}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Team</Table.Th>
                <Table.Th className={classes.figure}>Workflows</Table.Th>
                <Table.Th className={classes.figure}>Members</Table.Th>
                <Table.Th className={classes.figure}>Running</Table.Th>
                <Table.Th className={classes.figure}>Actions</Table.Th>
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
          {`The first ${teams.length} of ${total.toLocaleString()}. For the others, press Ctrl K or use the team menu.`}
        </Text>
      )}
    </section>
  );
}

function TeamRow({ team }: { team: Overview["teams"][number] }) {
  const { name, displayName, status, workflows, members, runningRuns, openActions } = team;
  const number = (count: number, to: string, what: string) => (
    <Table.Td className={classes.figure}>
      <Link to={to} className={count === 0 ? classes.none : classes.count} aria-label={`${count} ${what} of ${displayName || name}`}>
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
        {status === "inactive" && <span className="quiet"> · inactive</span>}
      </Table.Td>
      {number(workflows, paths.workflows(name), "workflows")}
      {number(members, paths.manage(name), "members")}
      {number(runningRuns, `${paths.activity(name)}?phase=%5B%22running%22%5D`, "running runs")}
      {number(openActions, paths.actions(name), "open actions")}
    </Table.Tr>
  );
}
