import type { Schedule } from "../../api/queries/schedules.ts";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";

interface DeleteDialogProps {
  schedule: Schedule;
  isOpen: boolean;
  onClose: () => void;
  onConfirm: () => Promise<void>;
}

/** Asks before a schedule goes with its history. */
export function DeleteDialog({ schedule, isOpen, onClose, onConfirm }: DeleteDialogProps) {
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Delete ${schedule.name}?`}
      action="Delete schedule"
      isDangerous
      onConfirm={onConfirm}
    >
      The schedule no longer runs {schedule.workflowDisplayName}, and its history is deleted. Runs that it started are kept. To keep the
      history, archive the schedule instead.
    </ConfirmDialog>
  );
}
