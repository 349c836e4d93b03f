import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { teamQuery } from "../../api/queries/teams.ts";
import { availableParametersQuery } from "../../api/queries/workflow-draft.ts";
import { t } from "../../texts/designer-form.ts";
import { LoadingState } from "../../ui/state/loading-state.tsx";
import type { DraftTask } from "../draft/draft.ts";
import { useDraft } from "../draft/draft-context.ts";
import { changeTask } from "../draft/graph-edits.ts";
import { availableReferences } from "./available-references.ts";
import { FurtherParameters } from "./further-parameters.tsx";
import { type NodeParam, setParam } from "./node-params.ts";
import { ParameterField } from "./parameter-field.tsx";
import { useNodeDefinition } from "./use-node-definition.ts";

/** Values for the parameters of the task: a field each, of the kind that its definition names, and each may hold references instead. */
export function NodeParameters({ task }: { task: DraftTask }) {
  const { team, catalog, change } = useDraft();
  const { definition, latest } = useNodeDefinition(task);
  const available = useAvailable(task);
  // Their declaration can't name the groups of each team.
  const { data: ofTeam } = useQuery(teamQuery(team));
  if (catalog === undefined || (latest !== undefined && definition === undefined))
    return <LoadingState label={t("nodeParameters.loadingTask")} rows={3} />;
  const groups = (ofTeam?.approverGroups ?? []).map(({ name }) => ({ key: name, value: name }));
  const declared = (definition?.spec?.params ?? []).map((param) =>
    param.name === "approverGroupId" ? { ...param, options: groups } : param,
  );
  const given = new Map((task.params ?? []).map((param) => [param.name, param as NodeParam]));
  const set = (name: string, value: unknown) =>
    change((draft) => changeTask(draft, task.name, (each) => setParam(each, name, value)), `param ${task.name} ${name}`);
  return (
    <Stack gap="sm">
      {declared.length === 0 && (
        <Text size="sm" className="quiet">
          {t("nodeParameters.taskHasNoParameters")}
        </Text>
      )}
      {declared.map((param) => (
        <ParameterField
          key={param.name}
          param={param}
          given={given.get(param.name)}
          available={available}
          onChange={(value) => set(param.name, value)}
        />
      ))}
      <FurtherParameters task={task} declared={declared.map(({ name }) => name)} available={available} />
    </Stack>
  );
}

/** What can be referred to at this task. */
export function useAvailable(task: DraftTask): readonly string[] {
  const { team, workflow, history, catalog } = useDraft();
  const { data: saved } = useQuery(availableParametersQuery(team, workflow));
  return useMemo(() => availableReferences(history.present, task, saved ?? [], catalog), [history.present, task, saved, catalog]);
}
