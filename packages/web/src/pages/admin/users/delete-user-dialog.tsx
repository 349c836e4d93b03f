import { Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { api, call } from "../../../api/client.ts";
import type { User } from "../../../api/queries/users.ts";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";

/** For good; the difference to making somebody inactive is said. */
export function DeleteUserDialog({ user, onClose }: { user: User | undefined; onClose: () => void }) {
  const client = useQueryClient();
  const remove = async () => {
    if (user === undefined) return;
    await call(api.DELETE("/api/v2/user/{userId}", { params: { path: { userId: user.id } } }));
    await client.invalidateQueries({ queryKey: ["users"] });
    notifications.show({ message: `${user.email} is deleted.` });
  };
  return (
    <ConfirmDialog
      isOpen={user !== undefined}
      onClose={onClose}
      title={`Delete ${user?.email ?? ""}`}
      deed="Delete the user"
      isDangerous
      typeToConfirm={user?.email ?? ""}
      onConfirm={remove}
    >
      <Text>
        His sessions and tokens end; votes and audit records keep his name. Where people come from an identity provider he is made anew when
        he signs in again: to keep him out, make him inactive instead. Who still belongs to a team is not deleted.
      </Text>
    </ConfirmDialog>
  );
}
