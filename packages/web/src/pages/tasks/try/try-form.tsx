import { Text } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../../../api/api-error.ts";
import { type Tried, tryBody, tryTask } from "../../../api/queries/task/task-catalog.ts";
import type { Task, TaskScope } from "../../../api/queries/task/tasks.ts";
import { type Param, ParameterForm, type ParamValues } from "../../../forms/parameter-form.tsx";
import { useRights } from "../../../hooks/use-caller.ts";
import { useRequestKey } from "../../../hooks/use-request-key.ts";
import { t } from "../../../texts/task/tasks.ts";
import { ActionButton } from "../../../ui/dialog/action-button.tsx";
import type { TriedDraft } from "./try-source.tsx";

interface TryFormProps {
  scope: TaskScope;
  /** The team in which it runs. */
  team: string;
  name: string;
  task: Task | undefined;
  /** Undefined: the saved task is run. */
  draft: TriedDraft | undefined;
  onStarted: (run: string) => void;
}

/** The parameters of the task to try, and the button that runs it. */
export function TryForm({ scope, team, name, task, draft, onStarted }: TryFormProps) {
  const [values, setValues] = useState<ParamValues>({});
  const whyNot = useWhyNot(team, task, draft);
  const params: readonly Param[] = draft?.params ?? (task?.spec?.params as Param[] | undefined) ?? [];
  const { keyFor, noteError, forget } = useRequestKey();
  const start = useMutation({
    mutationFn: () => {
      const tried = triedOf(scope, name, task, draft);
      const body = tryBody(tried, valuesOf(params, values));
      return tryTask(team, tried.name, body, keyFor([team, tried.name, body]));
    },
    onError: noteError,
    onSuccess: ({ id }) => {
      forget();
      onStarted(id);
    },
  });
  return (
    <>
      {params.length === 0 ? (
        <Text className="quiet">{t("tryForm.taskHasNoParameters")}</Text>
      ) : (
        <ParameterForm params={params} values={values} onChange={setValues} />
      )}
      {start.error !== null && (
        <Text role="alert" c="var(--status-failed)">
          {messageOf(start.error)}
        </Text>
      )}
      <ActionButton
        style={{ alignSelf: "flex-start" }}
        leftSection={<IconPlayerPlay size={16} />}
        loading={start.isPending}
        whyNot={whyNot}
        onClick={() => start.mutate()}
      >
        {draft === undefined ? t("tryForm.run") : t("tryForm.runDraft")}
      </ActionButton>
      <Text size="sm" className="quiet">
        {t("tryForm.notCounted")}
      </Text>
    </>
  );
}

function triedOf(scope: TaskScope, name: string, task: Task | undefined, draft: TriedDraft | undefined): Tried {
  if (draft !== undefined) return { name, document: draft.text, scope };
  return { name: scope === undefined ? (task?.id ?? name) : name, version: task?.version ?? 1 };
}

/** The values without those for parameters that the draft no longer has. */
function valuesOf(params: readonly Param[], values: ParamValues): ParamValues {
  const names = new Set(params.map(({ name }) => name));
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)));
}

function useWhyNot(team: string, task: Task | undefined, draft: TriedDraft | undefined): string | undefined {
  const rights = useRights(team);
  if (team === "") return t("tryForm.arentTeamWhereCould");
  const whyNotRun = rights.whyNot("task/action");
  if (whyNotRun !== undefined) return whyNotRun;
  if (draft === undefined) return task?.status === "active" ? undefined : t("tryForm.taskArchivedMakeActive");
  if (draft.fault !== undefined) return t("tryForm.invalidYamlLine", { line: String(draft.fault.line) });
  const [fault] = draft.faults;
  if (fault !== undefined) return t("tryForm.definitionNotValid", { message: fault.message });
  return rights.whyNot("task/write");
}
