import { ActionIcon, Button, Stack, Text, TextInput } from "@mantine/core";
import { opensAction } from "@millrace/contract/action/action-fields.ts";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useCallback, useMemo, useState } from "react";
import { teamQuery } from "../../api/queries/identity/session.ts";
import { availableParametersQuery } from "../../api/queries/workflow/workflow-draft.ts";
import { textOf } from "../../forms/parameter-values.ts";
import { useSame } from "../../hooks/use-same.ts";
import { t } from "../../texts/workflow/designer.ts";
import { LoadingState } from "../../ui/state/not-loaded.tsx";
import { type DraftTask, isMarker } from "../draft/draft.ts";
import { useDraft } from "../draft/draft-context.ts";
import { changeTask, upstreamOf } from "../draft/graph-edits.ts";
import { nestedIn } from "../nested/nested-draft.ts";
import { NestedFields } from "../nested/nested-fields.tsx";
import { usePreview } from "../node/preview-context.ts";
import { requestLists } from "../request/request-rows.ts";
import { useCalledParams } from "./called-params.ts";
import { firstField, useTakesFocus } from "./first-field.ts";
import { availableReferences, hasReference, type NodeParam, offersOf, setParam } from "./node-params.ts";
import { ParameterField } from "./parameter-field.tsx";
import { ReferenceField } from "./reference-field.tsx";
import type { Offer } from "./references.ts";
import classes from "./side-panel.module.css";
import { useNodeDefinition } from "./use-node-definition.ts";

/** Few tasks ask people, so the code is loaded on demand. */
const RequestList = lazy(async () => ({ default: (await import("../request/request-list.tsx")).RequestList }));
const RequestPreview = lazy(async () => ({ default: (await import("../request/request-preview.tsx")).RequestPreview }));

/** The values of the task's parameters, each with a field of its declared type. Each can contain references instead. */
export function NodeParameters({ task }: { task: DraftTask }) {
  const { team, catalog, history, change } = useDraft();
  const { definition, latest } = useNodeDefinition(task);
  const available = useAvailable(task);
  const takesFocus = useTakesFocus(task.name);
  const set = useCallback(
    (name: string, value: unknown) =>
      change((draft) => changeTask(draft, task.name, (each) => setParam(each, name, value)), `param ${task.name} ${name}`),
    [change, task.name],
  );
  // Their declaration can't list the groups, since these differ between teams.
  const { data: ofTeam } = useQuery(teamQuery(team));
  const given = new Map((task.params ?? []).map((param) => [param.name, param as NodeParam]));
  const type = task.type ?? definition?.type;
  const nested = nestedIn(task);
  const params = useCalledParams(team, type === "runworkflow" && !nested, nested?.params ?? definition?.spec?.params ?? [], given);
  if (catalog === undefined || (latest !== undefined && definition === undefined))
    return <LoadingState label={t("nodeParameters.loadingTask")} rows={3} />;
  const asks = opensAction(type);
  const names = asks ? upstreamOf(history.present, task.name) : new Set<string>();
  const upstream = history.present.tasks.filter((each) => names.has(each.name) && !isMarker(each)).map(({ name }) => name);
  const declared = params.map((param) =>
    groupParams.has(param.name) && asks
      ? { ...param, options: groupOptions(ofTeam?.approverGroups ?? [], given.get(param.name)?.value) }
      : param,
  );
  const first = firstField(declared);
  return (
    <Stack gap="sm">
      <NestedFields task={task} />
      {declared.length === 0 && (
        <Text size="sm" className="quiet">
          {t("nodeParameters.taskHasNoParameters")}
        </Text>
      )}
      <Suspense fallback={<LoadingState label={t("nodeParameters.loadingTask")} rows={3} />}>
        {declared.map((param) => {
          const props = { param, given: given.get(param.name), available, onChange: set, autoFocus: takesFocus && param.name === first };
          if (asks && (requestLists as readonly string[]).includes(param.name))
            return <RequestList key={param.name} {...props} upstream={upstream} />;
          return (
            <div key={param.name} data-first-field={param.name === (first ?? declared[0]?.name) || undefined}>
              <ParameterField {...props} />
            </div>
          );
        })}
        {asks && <RequestPreview task={task} type={type as "approval" | "manual"} />}
      </Suspense>
      <FurtherParameters task={task} declared={declared.map(({ name }) => name)} available={available} />
    </Stack>
  );
}

/** Parameters of approvals and manual tasks whose value is an approver group. */
const groupParams = new Set(["approverGroupId", "escalateTo"]);

/** The team's groups as options. A value that isn't among them is shown as such; groups are also recognized by their id. */
export function groupOptions(groups: readonly { id: string; name: string }[], value: unknown): { key: string; value: string }[] {
  const named = typeof value === "string" && value !== "" && !hasReference(value) ? value : undefined;
  const options = groups.map(({ id, name }) => ({
    key: named === id || named?.toLowerCase() === name.toLowerCase() ? named : name,
    value: name,
  }));
  if (groups.length === 0 || named === undefined || options.some(({ key }) => key === named)) return options;
  return [...options, { key: named, value: t("nodeParameters.unknownGroup", { name: named }) }];
}

/** The references that this task can use. */
export function useAvailable(task: DraftTask): readonly Offer[] {
  const { team, workflow, history, catalog } = useDraft();
  const { data: saved } = useQuery(availableParametersQuery(team, workflow));
  const { references } = usePreview();
  const local = useSame(availableReferences(history.present, task, saved ?? [], catalog));
  return useMemo(() => offersOf(local, references), [local, references]);
}

interface FurtherParametersProps {
  task: DraftTask;
  declared: readonly string[];
  available: readonly Offer[];
}

/** Values of parameters that the definition doesn't declare. They are passed on, e.g. to the workflow that is run. */
function FurtherParameters({ task, declared, available }: FurtherParametersProps) {
  const { change } = useDraft();
  const [name, setName] = useState("");
  const further = (task.params ?? []).filter((param) => !declared.includes(param.name));
  const edit = (edit: (task: DraftTask) => DraftTask, key?: string) => change((draft) => changeTask(draft, task.name, edit), key);
  const add = () => {
    const wanted = name.trim();
    if (wanted === "" || (task.params ?? []).some((param) => param.name === wanted)) return;
    edit((each) => ({ ...each, params: [...(each.params ?? []), { name: wanted, value: "" }] }));
    setName("");
  };
  return (
    <>
      {further.length > 0 && (
        <Text size="sm" fw={500}>
          {t("furtherParameters.furtherParameters")}
        </Text>
      )}
      {further.map((param) => (
        <div key={param.name} className={classes.row}>
          <ReferenceField
            label={param.name}
            value={textOf(param.value)}
            available={available}
            param={param.name}
            onChange={(value) =>
              edit(
                (each) => ({ ...each, params: (each.params ?? []).map((old) => (old.name === param.name ? { ...old, value } : old)) }),
                `param ${task.name} ${param.name}`,
              )
            }
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={t("furtherParameters.remove", { name: param.name })}
            onClick={() => edit((each) => ({ ...each, params: (each.params ?? []).filter((old) => old.name !== param.name) }))}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </div>
      ))}
      <div className={classes.row}>
        <TextInput
          size="xs"
          label={t("furtherParameters.addParameter")}
          placeholder={t("furtherParameters.addParameterPlaceholder")}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          onKeyDown={(event) => event.key === "Enter" && add()}
        />
        <Button size="xs" variant="default" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
          {t("furtherParameters.addParameter")}
        </Button>
      </div>
    </>
  );
}
