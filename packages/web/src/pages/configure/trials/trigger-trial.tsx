import { Anchor, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { api, call } from "../../../api/client.ts";
import { runScheduleNow, schedulesQuery } from "../../../api/queries/schedules.ts";
import { curlCommand } from "../../../components/run-form/run-body.ts";
import type { TriggerKind } from "../../../components/workflow-icon.tsx";
import { useRights } from "../../../hooks/use-caller.ts";
import { paths } from "../../../paths.ts";
import { t } from "../../../texts/workflow/triggers.ts";
import { CopyField } from "../../../ui/copy-field.tsx";
import { ActionButton } from "../../../ui/dialog/action-button.tsx";
import { Fold } from "../../../ui/fold.tsx";
import { RefusalAlert } from "../../../ui/state/refusal-alert.tsx";
import { DataTable } from "../../../ui/table/data-table.tsx";
import { TimeText } from "../../../ui/time/time-text.tsx";
import { sampleEvent, type Trigger, type TriggerDraft, triggerOf } from "../triggers/trigger-draft.ts";
import { WebhookAccess } from "../triggers/webhook-access.tsx";
import { CodehostTrial } from "./codehost-trial.tsx";
import { ManualTrial, type TrialProps } from "./manual-trial.tsx";
import { AnswerView, objectIn, TrialForm } from "./trial.tsx";
import { TriggerFit } from "./trigger-verdict.tsx";
import { WorkflowTrial } from "./workflow-trial.tsx";

const freshId = () => `test-${Date.now().toString(36)}`;

/** The URL for events, the command, and a form to send a test event. */
function EventTrial({ team, workflow, whyNot, trigger }: TrialProps & { trigger: Trigger }) {
  const rights = useRights(team);
  const [id, setId] = useState(freshId);
  // Until the user edits the event, it follows the conditions.
  const [typed, setTyped] = useState<string>();
  const text = typed ?? JSON.stringify(sampleEvent(trigger, id), null, 2);
  const payload = objectIn(text);
  const ref = workflow.id ?? "";
  const url = `${window.location.origin}/api/v2/event?ref=${ref}`;
  const sending = useMutation({
    mutationFn: (body: Record<string, unknown>) =>
      call(api.POST("/api/v2/event", { params: { query: { ref } }, body, headers: { "content-type": "application/cloudevents+json" } })),
    // Sending an event with the same id again would only return the first response.
    onSuccess: (_, { id: sent }) => {
      const next = freshId();
      setId(next);
      setTyped((now) => now?.replace(JSON.stringify(sent), JSON.stringify(next)));
    },
  });
  return (
    <Stack gap="xs">
      <Text size="sm">{t("eventTrial.urlEventsTokenHas")}</Text>
      <CopyField value={url} label={t("eventTrial.urlEvents")} />
      <Fold title={t("eventTrial.showCurlCommand")}>
        <CopyField value={eventCommand(url, text)} label={t("eventTrial.commandEvents")} />
      </Fold>
      <Text size="sm" fw={500}>
        {t("eventTrial.testEvent")}
      </Text>
      <TrialForm
        team={team}
        label={t("eventTrial.cloudeventSend")}
        text={text}
        onChange={(next) => next !== text && setTyped(next)}
        onSend={sending.mutate}
        answer={sending.data}
        error={sending.error}
        isBusy={sending.isPending}
        whyNot={rights.whyNot("webhook/action") ?? whyNot}
      >
        <TriggerFit team={team} workflow={workflow} trigger={trigger} tried={payload && { kind: "event", payload }} />
      </TrialForm>
    </Stack>
  );
}

function eventCommand(url: string, text: string): string {
  let body: unknown = text;
  try {
    body = JSON.parse(text);
  } catch {
    // Invalid JSON is shown as typed.
  }
  return curlCommand({ url, body }).replace("application/json", "application/cloudevents+json");
}

/** The form to test each kind of trigger. */
export function TriggerTrial({ kind, draft, ...trial }: TrialProps & { kind: TriggerKind; draft: TriggerDraft }) {
  const trigger = useMemo(() => triggerOf(kind, draft), [kind, draft]);
  switch (kind) {
    case "manual":
      return <ManualTrial {...trial} />;
    case "schedule":
      return <ScheduleTrial {...trial} />;
    case "webhook":
      return <WebhookAccess {...trial} trigger={trigger} />;
    case "event":
      return <EventTrial {...trial} trigger={trigger} />;
    case "codehost":
      return <CodehostTrial {...trial} trigger={trigger} />;
    case "workflow":
      return <WorkflowTrial {...trial} trigger={trigger} />;
  }
}

/** The schedules of the workflow. Each can be run now, with its parameters and labels. */
function ScheduleTrial({ team, workflow, whyNot }: TrialProps) {
  const rights = useRights(team);
  const { data } = useQuery(schedulesQuery(team, { workflows: [workflow.name] }));
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
