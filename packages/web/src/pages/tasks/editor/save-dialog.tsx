import { Checkbox, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { isConflict, type TaskScope, taskQuery } from "../../../api/queries/tasks.ts";
import { t } from "../../../texts/tasks.ts";
import { TextDiff } from "../../../ui/code/text-diff.tsx";
import { FormDialog } from "../../../ui/dialog/form-dialog.tsx";
import { ErrorState } from "../../../ui/state/error-state.tsx";
import type { StoredTask } from "./use-task-base.ts";
import { type TaskSave, useTaskSave } from "./use-task-save.ts";

/** Says what is about to be saved, and why it is. When somebody else was faster, what both did is shown and one decides. */
export function SaveDialog({ onClose, ...saved }: TaskSave & { onClose: () => void }) {
  const { scope, name, stored, state, base } = saved;
  const form = useForm({ initialValues: { reason: "", isReplacing: false } });
  const save = useTaskSave(saved, form.values);
  const isLost = isConflict(save.error);
  const theirs = useTheirs(scope, name, isLost);
  const submit = async () => {
    try {
      await save.mutateAsync({ isForced: isLost });
      onClose();
    } catch (refusal) {
      // Which is shown, with what both did, instead of a refusal.
      if (!isConflict(refusal)) throw refusal;
    }
  };
  return (
    <FormDialog
      title={stored === undefined ? t("saveDialog.create", { name }) : t("saveDialog.saveTask")}
      size="xl"
      form={form}
      action={verbOf(stored, form.values.isReplacing, isLost)}
      isDangerous={isLost}
      // Nothing is overwritten unseen, and the button is not pressed while what comes above it moves it.
      whyNot={isLost && theirs.stored === undefined ? t("saveDialog.whatWasSavedMeanwhile") : undefined}
      labels={isLost ? { cancel: t("saveDialog.keepEditing") } : {}}
      onSubmit={submit}
      onClose={onClose}
      staysOpen
    >
      {stored !== undefined && !isLost && (
        <TextDiff label={t("saveDialog.changes")} before={base.text} after={state.text} language="yaml" />
      )}
      {isLost && <SaveConflict theirs={theirs} mine={state.text} />}
      {stored === undefined ? (
        <Text>{t("saveDialog.workflowsEveryTeamTeam", { kind: scope === undefined ? "yes" : "no" })}</Text>
      ) : (
        <>
          <TextInput
            label={t("saveDialog.changeMessage")}
            maxLength={1000}
            autoComplete="off"
            data-autofocus
            {...form.getInputProps("reason")}
          />
          <Checkbox
            label={t("saveDialog.replaceVersionInsteadCreating", { version: String(stored.task.version) })}
            description={t("saveDialog.workflowsUseRunNew")}
            {...form.getInputProps("isReplacing", { type: "checkbox" })}
          />
        </>
      )}
    </FormDialog>
  );
}

function verbOf(stored: StoredTask | undefined, isReplacing: boolean, isLost: boolean): string {
  if (stored === undefined) return t("saveDialog.createTask");
  if (isLost) return t("saveDialog.overwrite");
  return isReplacing
    ? t("saveDialog.replaceVersion", { version: String(stored.task.version) })
    : t("saveDialog.saveVersion", { version: String(stored.task.version + 1) });
}

interface Theirs {
  /** What is stored now; undefined until it is there, and while nobody needs it. */
  stored: StoredTask | undefined;
  error: unknown;
  retry: () => void;
}

/** Asked for when a save was refused because somebody else was faster. */
function useTheirs(scope: TaskScope, name: string, isNeeded: boolean): Theirs {
  const client = useQueryClient();
  const [stored, setStored] = useState<StoredTask>();
  const [error, setError] = useState<unknown>();
  const ask = useCallback(() => {
    setError(undefined);
    client.fetchQuery({ ...taskQuery(scope, name), staleTime: 0 }).then(setStored, setError);
  }, [client, scope, name]);
  useEffect(() => {
    setStored(undefined);
    if (isNeeded) ask();
  }, [isNeeded, ask]);
  return { stored, error, retry: ask };
}

/** What is stored now beside what would be. */
function SaveConflict({ theirs: { stored: theirs, error, retry }, mine }: { theirs: Theirs; mine: string }) {
  if (error !== undefined) return <ErrorState error={error} onRetry={retry} />;
  return (
    <>
      <Text role="alert" c="var(--status-failed)">
        {t("saveDialog.savedMeanwhile", {
          author: theirs?.task.changelog?.author ?? t("saveDialog.someoneElse"),
          version: theirs === undefined ? "none" : String(theirs.task.version),
        })}
      </Text>
      {theirs && <TextDiff label={t("saveDialog.whatSavingChanges")} before={theirs.text} after={mine} language="yaml" />}
    </>
  );
}
