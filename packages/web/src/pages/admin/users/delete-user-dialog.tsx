import { Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { api, call } from "../../../api/client.ts";
import type { User } from "../../../api/queries/users.ts";
import { useRenew } from "../../../hooks/use-renew.ts";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";

/** For good; the difference to making somebody inactive is said. */
export function DeleteUserDialog({ user, onClose }: { user: User | undefined; onClose: () => void }) {
  const renew = useRenew();
  const remove = async () => {
    if (user === undefined) return;
    await call(api.DELETE("/api/v2/user/{userId}", { params: { path: { userId: user.id } } }));
    await renew(["users"]);
    notifications.show({ message: `${user.email} deleted.` });
  };
  return (
    <ConfirmDialog
      isOpen={user !== undefined}
      onClose={onClose}
      title={`Delete ${user?.email ?? ""}`}
      action="Delete user"
      isDangerous
      typeToConfirm={user?.email ?? ""}
      onConfirm={remove}
    >
      <Text>
        The user's sessions and tokens end. Votes and audit records keep the name. With an identity provider the user is created again at
        the next sign-in; to lock the user out, set the status to inactive instead. A member of a team can't be deleted.
      </Text>
    </ConfirmDialog>
  );
}
