import { ActionIcon, Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconArchive, IconDots, IconDownload, IconRestore, IconTrash } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { deleteTask, saveTask, type TaskScope } from "../../api/queries/task/tasks.ts";
import type { TaskDraftState } from "../../forms/task-form/task-draft.ts";
import { setYaml } from "../../forms/task-form/yaml-edit.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useRenew } from "../../hooks/use-renew.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/task/tasks.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { SaveDialog } from "./editor/save-dialog.tsx";
import type { StoredTask, TaskBase } from "./editor/use-task-base.ts";
import type { TaskCheck } from "./editor/use-task-check.ts";

interface TaskActionsProps {
  scope: TaskScope;
  name: string;
  stored: StoredTask | undefined;
  state: TaskDraftState;
  base: TaskBase;
  check: TaskCheck;
  isDirty: boolean;
  whyNot: string | undefined;
  /** Called before the page is left on purpose. */
  onLeave: () => void;
}

/** The actions for a task; saving comes last, at the top right. */
export function TaskActions(props: TaskActionsProps) {
  const { scope, name, stored, state, base, check, isDirty, whyNot, onLeave } = props;
  const [isSaving, { open, close }] = useDisclosure(false);
  return (
    <>
      {stored !== undefined && <MoreMenu {...props} />}
      <ActionButton size="xs" whyNot={whyNot ?? whyNotSave(isDirty, check, state)} onClick={open}>
        {stored === undefined ? t("taskActions.createTask") : t("taskActions.save")}
      </ActionButton>
      {isSaving && <SaveDialog {...{ scope, name, stored, state, base, onLeave }} onClose={close} />}
    </>
  );
}

function whyNotSave(isDirty: boolean, { faults }: TaskCheck, { fault }: TaskDraftState): string | undefined {
  if (!isDirty) return t("taskActions.noUnsavedChanges");
  if (fault !== undefined) return t("taskActions.invalidYamlLine", { line: String(fault.line) });
  if (faults.length > 0) return t("taskActions.definitionNotValidThere", { count: faults.length });
  return undefined;
}

function MoreMenu({ scope, name, stored, isDirty, whyNot, onLeave }: TaskActionsProps) {
  const rights = useRights(scope);
  const [asked, setAsked] = useState<"archive" | "delete">();
  if (stored === undefined) return null;
  const isActive = stored.task.status === "active";
  const whyNotDelete = rights.whyNot("task/delete");
  const close = () => setAsked(undefined);
  return (
    <>
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          <ActionIcon variant="default" size={30} aria-label={t("taskActions.moreActions")}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconDownload size={16} />} onClick={() => download(`${name}.yaml`, stored.text)}>
            {t("taskActions.downloadYaml")}
          </Menu.Item>
          <MenuAction
            icon={isActive ? IconArchive : IconRestore}
            label={isActive ? t("taskActions.archive") : t("taskActions.makeActive")}
            whyNot={whyNot ?? (isDirty ? t("taskActions.saveDiscardChangesFirst") : undefined)}
            onClick={() => setAsked("archive")}
          />
          {scope !== undefined && (
            <MenuAction icon={IconTrash} label={t("taskActions.delete")} whyNot={whyNotDelete} onClick={() => setAsked("delete")} />
          )}
        </Menu.Dropdown>
      </Menu>
      <ArchiveDialog scope={scope} stored={stored} isOpen={asked === "archive"} onClose={close} />
      {scope !== undefined && <DeleteDialog team={scope} name={name} isOpen={asked === "delete"} onClose={close} onDeleted={onLeave} />}
    </>
  );
}

interface MenuActionProps {
  icon: typeof IconTrash;
  label: string;
  whyNot: string | undefined;
  onClick: () => void;
}

/** A menu action that says below its label why it isn't possible. */
function MenuAction({ icon: Icon, label, whyNot, onClick }: MenuActionProps) {
  return (
    <Menu.Item
      leftSection={<Icon size={16} />}
      aria-disabled={whyNot !== undefined}
      closeMenuOnClick={whyNot === undefined}
      onClick={whyNot === undefined ? onClick : undefined}
    >
      <span className={whyNot === undefined ? undefined : "quiet"}>{label}</span>
      {whyNot !== undefined && (
        <span className="quiet" style={{ display: "block", fontSize: 12, whiteSpace: "normal" }}>
          {whyNot}
        </span>
      )}
    </Menu.Item>
  );
}

/** Downloads the text as a file. */
function download(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/x-yaml" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

interface ArchiveDialogProps {
  scope: TaskScope;
  stored: StoredTask;
  isOpen: boolean;
  onClose: () => void;
}

/** Written to the change log in this form, independent of the reader's language. */
const marks = { archived: " (archived)", active: " (active again)" };

/** Archives or restores a task. The version stays the same; only the change log records it. */
function ArchiveDialog({ scope, stored, isOpen, onClose }: ArchiveDialogProps) {
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
          ? t("taskActions.archive2", { displayName: String(task.displayName) })
          : t("taskActions.makeActiveAgain", { displayName: String(task.displayName) })
      }
      action={isActive ? t("taskActions.archiveTask") : t("taskActions.makeActive")}
      onConfirm={change}
    >
      {isActive ? t("taskActions.newVersionsWorkflowsCant") : t("taskActions.workflowsUseAgain")}
    </ConfirmDialog>
  );
}

interface DeleteDialogProps {
  team: string;
  name: string;
  isOpen: boolean;
  onClose: () => void;
  /** Called before the page closes. */
  onDeleted: () => void;
}

/** Deletes the task permanently. The service refuses while workflows use the task, and names them. */
function DeleteDialog({ team, name, isOpen, onClose, onDeleted }: DeleteDialogProps) {
  const client = useQueryClient();
  const renew = useRenew();
  const navigate = useNavigate();
  const remove = async () => {
    await deleteTask(team, name);
    onDeleted();
    await navigate({ to: paths.teamTasks(team) });
    client.removeQueries({ queryKey: ["task", team, name] });
    void renew(["tasks"], team);
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t("taskActions.delete2", { name })}
      action={t("taskActions.deleteTask")}
      isDangerous
      typeToConfirm={name}
      onConfirm={remove}
    >
      {t("taskActions.permanentlyDeletesAllVersions")}
    </ConfirmDialog>
  );
}
