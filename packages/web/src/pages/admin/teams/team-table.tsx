import { Anchor, Table, Text } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import type { Team } from "../../../api/queries/all-teams.ts";
import { useRights } from "../../../hooks/use-caller.ts";
import { paths } from "../../../paths.ts";
import { t } from "../../../texts/administration.ts";
import { StateMark } from "../../../ui/mark/state-mark.tsx";
import { TimeText } from "../../../ui/time/time-text.tsx";
import classes from "../admin.module.css";
import { RowMenu } from "../row-menu.tsx";
import { usageText } from "./usage-text.ts";

interface TeamTableProps {
  teams: readonly Team[];
  onQuotas: (team: Team) => void;
  onStatus: (team: Team) => void;
}

/** One team a line: who it is, whether it runs, and how much of its quotas is used. */
export function TeamTable({ teams, ...actions }: TeamTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by keyboard
    <section className={classes.box} tabIndex={0} aria-label={t("teamTable.teams")}>
      <Table horizontalSpacing="sm" verticalSpacing={4} highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("teamTable.team")}</Table.Th>
            <Table.Th>{t("teamTable.status")}</Table.Th>
            <Table.Th className={classes.number}>{t("teamTable.members")}</Table.Th>
            <Table.Th className={classes.number}>{t("teamTable.workflows")}</Table.Th>
            <Table.Th className={classes.number}>{t("teamTable.runsMonth")}</Table.Th>
            <Table.Th className={classes.number}>{t("teamTable.runningNow")}</Table.Th>
            <Table.Th>{t("teamTable.created")}</Table.Th>
            <Table.Th>
              <span className="only-heard">{t("teamTable.actions")}</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {teams.map((team) => (
            <TeamRow key={team.id} team={team} {...actions} />
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

function TeamRow({ team, onQuotas, onStatus }: { team: Team } & Omit<TeamTableProps, "teams">) {
  const { quotas } = team;
  const whyNot = useRights(team.name).whyNot("team/write");
  const navigate = useNavigate();
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor component={Link} to={paths.workflows(team.name)} inherit c="inherit" fw={500} underline="hover">
          {team.displayName || team.name}
        </Anchor>
        {team.displayName !== team.name && (
          <Text span size="sm" className="quiet" ml="xs">
            {team.name}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <StateMark
          {...(team.status === "active" ? { tone: "on", word: t("teamTable.active") } : { tone: "rest", word: t("teamTable.inactive") })}
        />
      </Table.Td>
      <Table.Td className={classes.number}>{team.members.length}</Table.Td>
      <Table.Td className={classes.number}>{usageText(quotas.currentWorkflowCount, quotas.maxWorkflowCount)}</Table.Td>
      <Table.Td className={classes.number}>{usageText(quotas.currentRuns, quotas.maxWorkflowRunMonthly)}</Table.Td>
      <Table.Td className={classes.number}>{usageText(quotas.currentConcurrentRuns, quotas.maxConcurrentRuns)}</Table.Td>
      <Table.Td>
        <TimeText at={team.creationDate} />
      </Table.Td>
      <Table.Td>
        <RowMenu
          of={team.name}
          actions={[
            { label: t("teamTable.openWorkflows"), onClick: () => void navigate({ to: paths.workflows(team.name) }) },
            { label: t("teamTable.manageMembersSettings"), onClick: () => void navigate({ to: paths.manage(team.name) }) },
            { label: t("teamTable.quotas"), onClick: () => onQuotas(team), whyNot },
            {
              label: team.status === "active" ? t("teamTable.deactivate") : t("teamTable.activate"),
              onClick: () => onStatus(team),
              whyNot,
              isDangerous: team.status === "active",
            },
          ]}
        />
      </Table.Td>
    </Table.Tr>
  );
}
