import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { workflowSchedulesQuery } from "../../api/queries/workflows.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { paths } from "../../paths.ts";
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
          The trigger <em>Schedule</em> is off, so no schedule runs.{" "}
          <Anchor component={PlaceLink} to={paths.workflowConfigure(team, workflow.name, "triggers")}>
            Turn it on
          </Anchor>
        </Text>
      )}
      <DataTable
        label="Schedules"
        minWidth={520}
        query={query}
        rows={query.data?.content}
        keyOf={({ id, name }) => id ?? name ?? ""}
        columns={[
          { title: "Name", cell: ({ name }) => name },
          {
            title: "When",
            cell: ({ cronSchedule, timezone }) => (
              <>
                {cronSchedule ? <code>{cronSchedule}</code> : "One time"} <span className="quiet">{timezone}</span>
              </>
            ),
          },
          { title: "Status", kind: "short", cell: ({ status }) => status },
          {
            title: "Next",
            kind: "short",
            cell: ({ status, nextScheduleDate }) => <TimeText at={status === "active" ? nextScheduleDate : undefined} />,
          },
        ]}
        empty={<EmptyState title="No schedules" />}
      />
      <Group>
        <ActionButton
          variant="default"
          whyNot={whyNot}
          onClick={() => void navigate({ to: paths.schedules(team), search: { edit: "new", workflow: workflow.name } })}
        >
          Create schedule
        </ActionButton>
        <Button variant="default" component={PlaceLink} to={paths.schedules(team)} search={search}>
          Show on the schedules page
        </Button>
      </Group>
    </Stack>
  );
}
