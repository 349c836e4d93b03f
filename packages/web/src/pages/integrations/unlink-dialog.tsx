import { useRenew } from "../../hooks/use-renew.ts";
import { t } from "../../texts/integrations.ts";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";

interface UnlinkDialogProps {
  name: string;
  isOpen: boolean;
  onClose: () => void;
  /** What stops. */
  consequence: string;
  unlink: () => Promise<unknown>;
}

/** Asks before a platform no longer reaches the team. */
export function UnlinkDialog({ name, isOpen, onClose, consequence, unlink }: UnlinkDialogProps) {
  const renew = useRenew();
  const confirm = async () => {
    await unlink();
    await renew(["integrations", "chat-workspaces"]);
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t("unlinkDialog.unlink", { name })}
      action={t("unlinkDialog.unlinkAction")}
      isDangerous
      onConfirm={confirm}
    >
      {t("unlinkDialog.otherTeamsStayLinked", { consequence })}
    </ConfirmDialog>
  );
}
