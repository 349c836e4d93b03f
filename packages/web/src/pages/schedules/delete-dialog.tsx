import type { Schedule } from "../../api/queries/schedules.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";

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
      deed="Delete the schedule"
      isDangerous
      onConfirm={onConfirm}
    >
      It does not run {schedule.workflowDisplayName} any more, and the record of its past times goes with it. Runs that it has started stay.
      To keep the record, archive it instead.
    </ConfirmDialog>
  );
}
