import { t } from "../../texts/run.ts";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";

interface AskProps {
  isOpen: boolean;
  onClose: () => void;
  onConfirm: () => Promise<unknown>;
}

/** Asks before a run is cancelled. */
export function CancelDialog(props: AskProps) {
  return (
    <ConfirmDialog
      {...props}
      title={t("runDialogs.cancelRun")}
      action={t("runDialogs.cancelRunAction")}
      dismiss={t("runDialogs.keepRunning")}
      isDangerous
    >
      {t("runDialogs.runningTasksStoppedOpen")}
    </ConfirmDialog>
  );
}

/** Asks before the files of a run are given up. */
export function FinalizeDialog(props: AskProps) {
  return (
    <ConfirmDialog {...props} title={t("runDialogs.releaseWorkspacesRun")} action={t("runDialogs.releaseWorkspaces")} isDangerous>
      {t("runDialogs.permanentlyDeletesAllFiles")}
    </ConfirmDialog>
  );
}
