import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { workflowSchedulesQuery } from "../../api/queries/workflows.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/configure.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { PlaceLink } from "../../ui/place-link.tsx";
import { EmptyState } from "../../ui/state/empty-state.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import type { SectionProps } from "./use-section-draft.ts";

/** When the clock runs it, in short; the page of schedules has the rest. */
export function SchedulesSection({ team, workflow }: SectionProps) {
  const query = useQuery(workflowSchedulesQuery(team, workflow.name));
  const navigate = useNavigate();
  const whyNot = useRights(team).whyNot("schedule/write");
  const search = { workflows: [workflow.name] };
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
      <DataTable
        label={t("schedulesSection.schedules")}
        minWidth={520}
        query={query}
        rows={query.data?.content}
        keyOf={({ id, name }) => id ?? name ?? ""}
        columns={[
          { title: t("schedulesSection.name"), cell: ({ name }) => name },
          {
            title: t("schedulesSection.when"),
            cell: ({ cronSchedule, timezone }) => (
              <>
                {cronSchedule ? <code>{cronSchedule}</code> : t("schedulesSection.oneTime")} <span className="quiet">{timezone}</span>
              </>
            ),
          },
          { title: t("schedulesSection.status"), kind: "short", cell: ({ status }) => status },
          {
            title: t("schedulesSection.next"),
            kind: "short",
            cell: ({ status, nextScheduleDate }) => <TimeText at={status === "active" ? nextScheduleDate : undefined} />,
          },
        ]}
        empty={<EmptyState title={t("schedulesSection.noSchedules")} />}
      />
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
