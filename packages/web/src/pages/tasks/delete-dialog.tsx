import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { deleteTask } from "../../api/queries/tasks.ts";
import { useRenew } from "../../hooks/use-renew.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/tasks.ts";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";

interface DeleteDialogProps {
  team: string;
  name: string;
  isOpen: boolean;
  onClose: () => void;
  /** Before the page goes. */
  onDeleted: () => void;
}

/** For good. The service refuses while workflows use it, and names them. */
export function DeleteDialog({ team, name, isOpen, onClose, onDeleted }: DeleteDialogProps) {
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
      title={t("deleteDialog.delete", { name })}
      action={t("deleteDialog.deleteTask")}
      isDangerous
      typeToConfirm={name}
      onConfirm={remove}
    >
      {t("deleteDialog.permanentlyDeletesAllVersions")}
    </ConfirmDialog>
  );
}
