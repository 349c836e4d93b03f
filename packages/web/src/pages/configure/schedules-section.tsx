import { Anchor, Button, Group, Stack, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { workflowSchedulesQuery } from "../../api/queries/workflows.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/configure.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { PlaceLink } from "../../ui/place-link.tsx";
import { EmptyState } from "../../ui/state/empty-state.tsx";
import { NotLoaded } from "../../ui/state/not-loaded.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import classes from "./configure.module.css";
import type { SectionProps } from "./section.ts";

/** When the clock runs it, in short; the page of schedules has the rest. */
export function SchedulesSection({ team, workflow }: SectionProps) {
  const query = useQuery(workflowSchedulesQuery(team, workflow.name));
  const { data } = query;
  const navigate = useNavigate();
  const whyNot = useRights(team).whyNot("schedule/write");
  const search = { workflows: [workflow.name] };
  if (data === undefined) return <NotLoaded query={query} label={t("schedulesSection.loadingSchedules")} />;
  return (
    <Stack gap="sm">
      {workflow.triggers?.schedule?.enabled !== true && (
        <Text>
          {t.rich("schedulesSection.triggerScheduleOffSo", {
            em: (chunks) => <em>{chunks}</em>,
            link: (chunks) => (
              <Anchor component={PlaceLink} to={paths.workflowConfigure(team, workflow.name, "triggers")}>
                {chunks}
              </Anchor>
            ),
          })}
        </Text>
      )}
      {data.content.length === 0 ? (
        <EmptyState title={t("schedulesSection.noSchedules")} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        <section className={classes.box} aria-label={t("schedulesSection.schedules")} tabIndex={0}>
          <Table verticalSpacing={6} miw={520}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t("schedulesSection.name")}</Table.Th>
                <Table.Th>{t("schedulesSection.when")}</Table.Th>
                <Table.Th>{t("schedulesSection.status")}</Table.Th>
                <Table.Th>{t("schedulesSection.next")}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.content.map((schedule) => (
                <Table.Tr key={schedule.id}>
                  <Table.Td>{schedule.name}</Table.Td>
                  <Table.Td>
                    {schedule.cronSchedule ? <code>{schedule.cronSchedule}</code> : t("schedulesSection.oneTime")}{" "}
                    <span className="quiet">{schedule.timezone}</span>
                  </Table.Td>
                  <Table.Td>{schedule.status}</Table.Td>
                  <Table.Td>
                    <TimeText at={schedule.status === "active" ? schedule.nextScheduleDate : undefined} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </section>
      )}
      <Group>
        <ActionButton
          variant="default"
          whyNot={whyNot}
          onClick={() => void navigate({ to: paths.schedules(team), search: { edit: "new", workflow: workflow.name } })}
        >
          {t("schedulesSection.createSchedule")}
        </ActionButton>
        <Button variant="default" component={PlaceLink} to={paths.schedules(team)} search={search}>
          {t("schedulesSection.showSchedulesPage")}
        </Button>
      </Group>
    </Stack>
  );
}
