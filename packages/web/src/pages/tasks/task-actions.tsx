import { ActionIcon, Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconArchive, IconDots, IconDownload, IconRestore, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import type { TaskScope } from "../../api/queries/tasks.ts";
import type { TaskDraftState } from "../../forms/task-form/use-task-draft.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { t } from "../../texts/tasks.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { ArchiveDialog } from "./archive-dialog.tsx";
import { DeleteDialog } from "./delete-dialog.tsx";
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
  /** The page is left on purpose. */
  onLeave: () => void;
}

/** What can be done with a task; saving last, at the right top. */
export function TaskActions(props: TaskActionsProps) {
  const { scope, name, stored, state, base, check, isDirty, whyNot, onLeave } = props;
  const [isSaving, { open, close }] = useDisclosure(false);
  return (
    <>
      {stored !== undefined && <MoreMenu {...props} />}
      <ActionButton size="xs" whyNot={whyNot ?? whyNotSave(isDirty, check, state)} onClick={open}>
        {stored === undefined ? t("taskActions.createTask") : t("taskActions.save")}
      </ActionButton>
      <SaveDialog {...{ scope, name, stored, state, base, onLeave }} isOpen={isSaving} onClose={close} />
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

/** A action of a menu that says below itself why it can't be done. */
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

/** Offers the text as a file. */
function download(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/x-yaml" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
