import { saveTask, type TaskScope } from "../../api/queries/tasks.ts";
import { setYaml } from "../../forms/task-form/yaml-edit.ts";
import { useRenew } from "../../hooks/use-renew.ts";
import { t } from "../../texts/tasks.ts";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import type { StoredTask } from "./editor/use-task-base.ts";

interface ArchiveDialogProps {
  scope: TaskScope;
  stored: StoredTask;
  isOpen: boolean;
  onClose: () => void;
}

/** Kept in the change log as they are, in whatever language somebody reads it. */
const marks = { archived: " (archived)", active: " (active again)" };

/** Archives a task or takes it back. The version stays the same: only its change log tells what happened. */
export function ArchiveDialog({ scope, stored, isOpen, onClose }: ArchiveDialogProps) {
  const renew = useRenew();
  const { task, text, etag } = stored;
  const isActive = task.status === "active";
  const change = async () => {
    const status = ["metadata", "annotations", "millrace.dev/status"];
    const before = Object.values(marks).reduce((reason, mark) => reason.replace(mark, ""), task.changelog?.reason ?? "");
    const reason = before + (isActive ? marks.archived : marks.active);
    await saveTask({ scope, name: task.name, text: setYaml(text, status, isActive ? "inactive" : "active"), reason, etag, replace: true });
    await renew(["task", "tasks"]);
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={
        isActive
          ? t("archiveDialog.archive", { displayName: String(task.displayName) })
          : t("archiveDialog.makeActiveAgain", { displayName: String(task.displayName) })
      }
      action={isActive ? t("archiveDialog.archiveTask") : t("archiveDialog.makeActive")}
      onConfirm={change}
    >
      {isActive ? t("archiveDialog.newVersionsWorkflowsCant") : t("archiveDialog.workflowsUseAgain")}
    </ConfirmDialog>
  );
}
