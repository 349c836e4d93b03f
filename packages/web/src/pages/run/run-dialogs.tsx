import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";

interface AskProps {
  isOpen: boolean;
  onClose: () => void;
  onConfirm: () => Promise<unknown>;
}

/** Asks before a run is cancelled. */
export function CancelDialog(props: AskProps) {
  return (
    <ConfirmDialog {...props} title="Cancel this run?" deed="Cancel the run" isDangerous>
      Tasks that run are stopped, approvals that wait are closed, and runs that it waits for are cancelled, too. What is done stays done.
    </ConfirmDialog>
  );
}

/** Asks before the files of a run are given up. */
export function FinalizeDialog(props: AskProps) {
  return (
    <ConfirmDialog {...props} title="Finalize this run?" deed="Finalize the run" isDangerous>
      Its workspaces are given up, with all files in them. Its record, its results and its logs stay.
    </ConfirmDialog>
  );
}
