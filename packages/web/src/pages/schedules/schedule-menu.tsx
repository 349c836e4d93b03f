import { ActionIcon, Menu } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { useState } from "react";
import type { Schedule } from "../../api/queries/schedules.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { t } from "../../texts/schedules.ts";
import { ActionItem } from "../../ui/dialog/action-item.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { BackfillDialog } from "./backfill-dialog.tsx";
import { useScheduleActions } from "./use-schedule-actions.ts";

interface ScheduleMenuProps {
  team: string;
  schedule: Schedule;
  onEdit: () => void;
  onDeleted?: () => void;
}

/** All actions for a schedule. Actions that the caller may not perform say why. */
export function ScheduleMenu({ team, schedule, onEdit, onDeleted }: ScheduleMenuProps) {
  const rights = useRights(team);
  const actions = useScheduleActions(team);
  const [dialog, setDialog] = useState<"backfill" | "delete">();
  const isPaused = schedule.status === "inactive";
  const canResume = isPaused || schedule.status === "archived";
  const item = (label: string, permission: string, action: () => unknown, color?: string) => {
    const whyNot = rights.whyNot(permission);
    return (
      <ActionItem
        key={label}
        whyNot={whyNot}
        {...(color !== undefined && whyNot === undefined && { c: color })}
        onClick={() => void action()}
      >
        {label}
      </ActionItem>
    );
  };
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t("scheduleMenu.moreActions", { name: schedule.name })}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {item(t("scheduleMenu.edit"), "schedule/write", onEdit)}
          {canResume
            ? item(t("scheduleMenu.resume"), "schedule/write", () => actions.resume(schedule))
            : item(t("scheduleMenu.pause"), "schedule/write", () => actions.pause(schedule))}
          {item(t("scheduleMenu.runNow"), "schedule/action", () => actions.runNow(schedule))}
          {item(t("scheduleMenu.backfill"), "schedule/action", () => setDialog("backfill"))}
          <Menu.Divider />
          {schedule.status !== "archived" && item(t("scheduleMenu.archive"), "schedule/write", () => actions.archive(schedule))}
          {item(t("scheduleMenu.delete"), "schedule/delete", () => setDialog("delete"), "var(--status-failed)")}
        </Menu.Dropdown>
      </Menu>
      {dialog === "backfill" && <BackfillDialog team={team} schedule={schedule} onClose={() => setDialog(undefined)} />}
      <DeleteDialog
        schedule={schedule}
        isOpen={dialog === "delete"}
        onClose={() => setDialog(undefined)}
        onConfirm={async () => {
          await actions.remove(schedule);
          onDeleted?.();
        }}
      />
    </>
  );
}

interface DeleteDialogProps {
  schedule: Schedule;
  isOpen: boolean;
  onClose: () => void;
  onConfirm: () => Promise<void>;
}

/** Asks for confirmation before a schedule is deleted with its history. */
function DeleteDialog({ schedule, isOpen, onClose, onConfirm }: DeleteDialogProps) {
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t("scheduleMenu.delete2", { name: schedule.name })}
      action={t("scheduleMenu.deleteSchedule")}
      isDangerous
      onConfirm={onConfirm}
    >
      {t("scheduleMenu.scheduleNoLongerRuns", { workflowDisplayName: schedule.workflowDisplayName })}
    </ConfirmDialog>
  );
}
