import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { createTask, saveTask, type TaskScope, taskQuery } from "../../../api/queries/tasks.ts";
import type { TaskDraftState } from "../../../forms/task-form/use-task-draft.ts";
import { useRenew } from "../../../hooks/use-renew.ts";
import { paths } from "../../../paths.ts";
import { t } from "../../../texts/tasks.ts";
import { annotationsLeft, numbered, withRemovals } from "./saved-text.ts";
import type { StoredTask, TaskBase } from "./use-task-base.ts";

/** What is saved, and over what. */
export interface TaskSave {
  scope: TaskScope;
  name: string;
  stored: StoredTask | undefined;
  state: TaskDraftState;
  base: TaskBase;
  /** Called before the page of a new task is left for that of a stored one. */
  onLeave: () => void;
}

/** Creates the task or writes a version of it. Forced, it does so over what somebody else has saved meanwhile. */
export function useTaskSave(
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
      const fresh = await client.fetchQuery({ ...taskQuery(scope, name), staleTime: 0 });
      const left = annotationsLeft(text, fresh.text);
      // The text of the draft goes on to be shown: the service has it without the comments.
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
