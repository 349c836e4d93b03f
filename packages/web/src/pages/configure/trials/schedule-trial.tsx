import { Anchor, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { runScheduleNow } from "../../../api/queries/schedules.ts";
import { workflowSchedulesQuery } from "../../../api/queries/workflows.ts";
import { useRights } from "../../../hooks/use-caller.ts";
import { paths } from "../../../paths.ts";
import { t } from "../../../texts/triggers.ts";
import { ActionButton } from "../../../ui/dialog/action-button.tsx";
import { RefusalAlert } from "../../../ui/state/refusal-alert.tsx";
import { DataTable } from "../../../ui/table/data-table.tsx";
import { TimeText } from "../../../ui/time/time-text.tsx";
import type { TrialProps } from "./manual-trial.tsx";
import { AnswerView } from "./trial.tsx";

/** The schedules of the workflow; each can be run now, with its parameters and labels. */
export function ScheduleTrial({ team, workflow, whyNot }: TrialProps) {
  const rights = useRights(team);
  const { data } = useQuery(workflowSchedulesQuery(team, workflow.name));
  const running = useMutation({ mutationFn: (id: string) => runScheduleNow(team, id) });
  const toSchedules = (
    <Anchor component={Link} size="sm" to={paths.workflowConfigure(team, workflow.name, "schedules")}>
      {t("scheduleTrial.schedules")}
    </Anchor>
  );
  if (data === undefined) return toSchedules;
  if (data.content.length === 0)
    return <Text size="sm">{t.rich("scheduleTrial.workflowHasNoSchedules", { span: () => <span>{toSchedules}</span> })}</Text>;
  return (
    <Stack gap="xs">
      <DataTable
        label={t("scheduleTrial.schedulesTest")}
        minWidth={440}
        rows={data.content}
        keyOf={({ id, name }) => id ?? name ?? ""}
        columns={[
          { title: t("scheduleTrial.schedule"), cell: ({ name }) => name },
          {
            title: t("scheduleTrial.nextRun"),
            cell: ({ status, nextScheduleDate: next }) => (
              <span className="quiet">
                {status === "active" && next
                  ? t.rich("scheduleTrial.next", { time: () => <TimeText at={next} /> })
                  : t("scheduleTrial.neverAgain")}
              </span>
            ),
          },
          {
            title: t("scheduleTrial.actions"),
            kind: "actions",
            cell: ({ id, name }) => (
              <ActionButton
                size="compact-xs"
                variant="default"
                aria-label={t("scheduleTrial.runNowAction", { name: String(name) })}
                loading={running.isPending && running.variables === id}
                whyNot={rights.whyNot("schedule/action") ?? whyNot}
                onClick={() => running.mutate(id ?? "")}
              >
                {t("scheduleTrial.runNow")}
              </ActionButton>
            ),
          },
        ]}
      />
      <Group gap="sm">
        {toSchedules}
        <Text size="sm" className="quiet">
          {t("scheduleTrial.runStartedNowHas")}
        </Text>
      </Group>
      {running.error !== null && <RefusalAlert title={t("scheduleTrial.noRunStarted")} error={running.error} />}
      {running.data !== undefined && <AnswerView team={team} answer={running.data} />}
    </Stack>
  );
}
