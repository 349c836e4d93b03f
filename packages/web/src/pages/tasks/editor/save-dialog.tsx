import { Checkbox, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useEffect, useState } from "react";
import { fetchFresh } from "../../../api/fetch-fresh.ts";
import { createTask, isConflict, saveTask, type TaskScope, taskQuery } from "../../../api/queries/task/tasks.ts";
import type { TaskDraftState } from "../../../forms/task-form/task-draft.ts";
import { useRenew } from "../../../hooks/use-renew.ts";
import { paths } from "../../../paths.ts";
import { t } from "../../../texts/task/tasks.ts";
import { TextDiff } from "../../../ui/code/code-editor.tsx";
import { FormDialog } from "../../../ui/dialog/form-dialog.tsx";
import { ErrorState } from "../../../ui/state/not-loaded.tsx";
import { annotationsLeft, numbered, withRemovals } from "./saved-text.ts";
import type { StoredTask, TaskBase } from "./use-task-base.ts";

/**
 * Shows what is about to be saved, and asks for a reason. If someone else saved in the meantime, shows both changes and lets the user
 * decide.
 */
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
      // The conflict is shown with both changes, not as an error.
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
      // Nothing may be overwritten unseen. Also, the button must not be clickable while the stored task is loaded, whose comparison moves it.
      whyNot={isLost && theirs.stored === undefined ? t("saveDialog.whatWasSavedMeanwhile") : undefined}
      labels={isLost ? { cancel: t("saveDialog.keepEditing") } : {}}
      onSubmit={submit}
      onClose={onClose}
      staysOpen
      isLong
    >
      {stored !== undefined && !isLost && (
        <TextDiff label={t("saveDialog.changes")} before={base.text} after={state.text} language="yaml" />
      )}
      {isLost && <SaveConflict theirs={theirs} mine={state.text} />}
      {stored === undefined ? (
        <Text>{t(scope === undefined ? "saveDialog.usableByEveryTeam" : "saveDialog.usableByTeam")}</Text>
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
  /** The stored task; undefined until it is loaded, and while it isn't needed. */
  stored: StoredTask | undefined;
  error: unknown;
  retry: () => void;
}

/** Loads the stored task after a save failed because someone else saved first. */
function useTheirs(scope: TaskScope, name: string, isNeeded: boolean): Theirs {
  const client = useQueryClient();
  const [stored, setStored] = useState<StoredTask>();
  const [error, setError] = useState<unknown>();
  const ask = useCallback(() => {
    setError(undefined);
    fetchFresh(client, taskQuery(scope, name)).then(setStored, setError);
  }, [client, scope, name]);
  useEffect(() => {
    setStored(undefined);
    if (isNeeded) ask();
  }, [isNeeded, ask]);
  return { stored, error, retry: ask };
}

/** The stored document compared with the draft. */
function SaveConflict({ theirs: { stored: theirs, error, retry }, mine }: { theirs: Theirs; mine: string }) {
  if (error !== undefined) return <ErrorState error={error} onRetry={retry} />;
  return (
    <>
      <Text role="alert" c="var(--status-failed)">
        {theirs === undefined
          ? t("saveDialog.savedUnknownMeanwhile", { author: t("saveDialog.someoneElse") })
          : t("saveDialog.savedMeanwhile", {
              author: theirs.task.changelog?.author ?? t("saveDialog.someoneElse"),
              version: String(theirs.task.version),
            })}
      </Text>
      {theirs && <TextDiff label={t("saveDialog.whatSavingChanges")} before={theirs.text} after={mine} language="yaml" />}
    </>
  );
}

/** What is saved, and which version it replaces. */
interface TaskSave {
  scope: TaskScope;
  name: string;
  stored: StoredTask | undefined;
  state: TaskDraftState;
  base: TaskBase;
  /** Called before the page of a new task is replaced by the page of the stored one. */
  onLeave: () => void;
}

/** Creates the task or writes a new version. When forced, overwrites what someone else has saved in the meantime. */
function useTaskSave(
  { scope, name, stored, state, base, onLeave }: TaskSave,
  { reason, isReplacing }: { reason: string; isReplacing: boolean },
) {
  const client = useQueryClient();
  const renew = useRenew();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async ({ isForced }: { isForced: boolean }) => {
      if (stored === undefined) await createTask(scope, state.text);
      else
        await saveTask({
          scope,
          name,
          text: withRemovals(state.text, base.text),
          reason,
          replace: isReplacing,
          etag: isForced ? undefined : base.etag,
        });
      return state.text;
    },
    onSuccess: async (text) => {
      if (stored === undefined) {
        onLeave();
        await navigate({
          to: scope === undefined ? paths.globalTask(name) : paths.teamTask(scope, name),
          search: {},
          replace: true,
        });
      }
      const fresh = await fetchFresh(client, taskQuery(scope, name));
      const left = annotationsLeft(text, fresh.text);
      // The editor keeps the text of the draft: the version the service returns has lost the comments.
      base.reset(left.length > 0 ? fresh.text : numbered(text, fresh.task.version), fresh.etag);
      if (left.length > 0)
        notifications.show({
          color: "yellow",
          message: t("taskSave.labelsAnnotationsSomeoneElse", { left: left.join(", ") }),
        });
      void renew(["tasks"]);
      void renew(["task"], scope ?? "global", name);
      notifications.show({
        message:
          stored === undefined ? t("taskSave.created", { name }) : t("taskSave.versionSaved", { version: String(fresh.task.version) }),
      });
    },
  });
}
