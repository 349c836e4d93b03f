import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";

interface AskProps {
  isOpen: boolean;
  onClose: () => void;
  onConfirm: () => Promise<unknown>;
}

/** Asks before a run is cancelled. */
export function CancelDialog(props: AskProps) {
  return (
    <ConfirmDialog {...props} title="Cancel this run?" action="Cancel run" dismiss="Keep running" isDangerous>
      Running tasks are stopped, open approvals closed, and child runs cancelled. Completed work is not undone.
    </ConfirmDialog>
  );
}

/** Asks before the files of a run are given up. */
export function FinalizeDialog(props: AskProps) {
  return (
    <ConfirmDialog {...props} title="Release the workspaces of this run?" action="Release workspaces" isDangerous>
      This permanently deletes all files in the workspaces of the run. Its record, results and logs are kept.
    </ConfirmDialog>
  );
}
