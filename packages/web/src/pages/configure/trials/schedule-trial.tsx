import { Anchor, Group, Stack, Table, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { runScheduleNow } from "../../../api/queries/schedules.ts";
import { workflowSchedulesQuery } from "../../../api/queries/workflows.ts";
import { useRights } from "../../../hooks/use-caller.ts";
import { paths } from "../../../paths.ts";
import { t } from "../../../texts/triggers.ts";
import { ActionButton } from "../../../ui/dialog/action-button.tsx";
import { RefusalAlert } from "../../../ui/state/refusal-alert.tsx";
import { TableBox } from "../../../ui/table/table-box.tsx";
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
      <TableBox label={t("scheduleTrial.schedulesTest")} miw={440}>
        <Table.Tbody>
          {data.content.map((schedule) => (
            <ScheduleLine
              key={schedule.id}
              name={schedule.name ?? ""}
              next={schedule.status === "active" ? schedule.nextScheduleDate : undefined}
              isBusy={running.isPending && running.variables === schedule.id}
              whyNot={rights.whyNot("schedule/action") ?? whyNot}
              onRun={() => running.mutate(schedule.id ?? "")}
            />
          ))}
        </Table.Tbody>
      </TableBox>
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

interface ScheduleLineProps {
  name: string;
  next: string | null | undefined;
  isBusy: boolean;
  whyNot: string | undefined;
  onRun: () => void;
}

function ScheduleLine({ name, next, isBusy, whyNot, onRun }: ScheduleLineProps) {
  return (
    <Table.Tr>
      <Table.Td>{name}</Table.Td>
      <Table.Td className="quiet">
        {next ? t.rich("scheduleTrial.next", { time: () => <TimeText at={next} /> }) : t("scheduleTrial.neverAgain")}
      </Table.Td>
      <Table.Td ta="right">
        <ActionButton
          size="compact-xs"
          variant="default"
          aria-label={t("scheduleTrial.runNowAction", { name })}
          loading={isBusy}
          whyNot={whyNot}
          onClick={onRun}
        >
          {t("scheduleTrial.runNow")}
        </ActionButton>
      </Table.Td>
    </Table.Tr>
  );
}
