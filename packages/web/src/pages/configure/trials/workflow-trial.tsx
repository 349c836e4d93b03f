import { Select, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { activityQuery, workflowNamesQuery } from "../../../api/queries/run/activity.ts";
import { useRights } from "../../../hooks/use-caller.ts";
import { t } from "../../../texts/workflow/triggers.ts";
import { statusLook } from "../../../ui/mark/status-mark.tsx";
import { exactTime } from "../../../ui/time/time-format.ts";
import type { Condition, Trigger } from "../triggers/trigger-draft.ts";
import { runEnds } from "../triggers/trigger-words.ts";
import type { TrialProps } from "./manual-trial.tsx";
import { TestedStart } from "./tested-start.tsx";
import classes from "./trials.module.css";

/** Tests the trigger with a finished run of another workflow, as if that run finished now. */
export function WorkflowTrial({ trigger, ...trial }: TrialProps & { trigger: Trigger }) {
  const { team, workflow } = trial;
  const mayNot = useRights(team).whyNot("workflowrun/read");
  const { data: names } = useQuery(workflowNamesQuery(team));
  const others = (names ?? []).filter(({ name }) => name !== workflow.name);
  const [picked, setPicked] = useState<string>();
  const [run, setRun] = useState<string | null>(null);
  const chosen = picked ?? wantedWorkflow(trigger.conditions ?? [], others) ?? "";
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        {t("workflowTrial.testFinishedRun")}
      </Text>
      {mayNot !== undefined && <Text size="sm">{mayNot}</Text>}
      {mayNot === undefined && names !== undefined && others.length === 0 && (
        <Text size="sm" className="quiet">
          {t("workflowTrial.thereNoWorkflowTeam")}
        </Text>
      )}
      {mayNot === undefined && others.length > 0 && (
        <>
          <div className={classes.fields}>
            <Select
              label={t("workflowTrial.workflow")}
              size="xs"
              searchable
              data={others.map(({ name, displayName }) => ({ value: name, label: displayName }))}
              value={chosen}
              allowDeselect={false}
              onChange={(next) => {
                setPicked(next ?? undefined);
                setRun(null);
              }}
            />
            <EndedRunChoice key={chosen} team={team} workflow={chosen} value={run} onChange={setRun} />
          </div>
          <TestedStart {...trial} trigger={trigger} tried={run === null ? undefined : { kind: "workflow", workflowRunRef: run }} />
        </>
      )}
    </Stack>
  );
}

/** The workflow that a condition names, otherwise the first one. */
function wantedWorkflow(conditions: readonly Condition[], others: readonly { name: string }[]): string | undefined {
  const named = conditions.filter(({ field }) => field === "workflows").flatMap(({ value, values }) => values ?? [value ?? ""]);
  return (others.find(({ name }) => named.includes(name)) ?? others[0])?.name;
}

interface EndedRunChoiceProps {
  team: string;
  workflow: string;
  value: string | null;
  onChange: (run: string | null) => void;
}

function EndedRunChoice({ team, workflow, value, onChange }: EndedRunChoiceProps) {
  const { data } = useQuery(activityQuery(team, { workflows: [workflow], statuses: [...runEnds] }, { page: 0, limit: 20 }));
  const runs = data?.content ?? [];
  const isEmpty = data !== undefined && runs.length === 0;
  return (
    <Select
      label={t("workflowTrial.run")}
      className={classes.wide}
      size="xs"
      data={runs.map(({ id, status, creationDate }) => ({
        value: id,
        label: t("workflowTrial.of", { word: statusLook(status).word, exactTime: exactTime(creationDate) }),
      }))}
      value={value}
      placeholder={isEmpty ? t("workflowTrial.runPlaceholder") : t("workflowTrial.runPlaceholderSelect")}
      disabled={isEmpty}
      onChange={onChange}
    />
  );
}
