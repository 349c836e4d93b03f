import { Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { api, call } from "../../../api/client.ts";
import type { User } from "../../../api/queries/users.ts";
import { useRenew } from "../../../hooks/use-renew.ts";
import { t } from "../../../texts/administration.ts";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";

/** For good; the difference to making somebody inactive is said. */
export function DeleteUserDialog({ user, onClose }: { user: User | undefined; onClose: () => void }) {
  const renew = useRenew();
  const remove = async () => {
    if (user === undefined) return;
    await call(api.DELETE("/api/v2/user/{userId}", { params: { path: { userId: user.id } } }));
    await renew(["users"]);
    notifications.show({ message: t("deleteUserDialog.deleted", { email: user.email }) });
  };
  return (
    <ConfirmDialog
      isOpen={user !== undefined}
      onClose={onClose}
      title={t("deleteUserDialog.delete", { email: user?.email ?? "" })}
      action={t("deleteUserDialog.deleteUser")}
      isDangerous
      typeToConfirm={user?.email ?? ""}
      onConfirm={remove}
    >
      <Text>{t("deleteUserDialog.usersSessionsTokensEnd")}</Text>
    </ConfirmDialog>
  );
}
