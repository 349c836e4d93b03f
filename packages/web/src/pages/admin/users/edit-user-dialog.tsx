import { Button, Group, Modal, Select, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { messageOf } from "../../../api/api-error.ts";
import { api, call } from "../../../api/client.ts";
import type { User } from "../../../api/queries/users.ts";
import { useApiMutation } from "../../../hooks/use-api-mutation.ts";
import { useCaller } from "../../../hooks/use-caller.ts";
import { t } from "../../../texts/administration.ts";
import { RequestedIdentity } from "./requested-identity.tsx";
import { userTypeWords } from "./user-words.ts";

const statuses = [
  { value: "active", label: t("editUserDialog.activeSign") },
  { value: "inactive", label: t("editUserDialog.inactiveCantSign") },
];

/** Name, type and status of a person. What nobody may change of himself is shown, and says so. */
export function EditUserDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const isSelf = useCaller().userId === user.id;
  const [displayName, setDisplayName] = useState(user.displayName ?? user.name ?? "");
  const [type, setType] = useState<string>(user.type);
  const [status, setStatus] = useState<string>(user.status);
  const save = useApiMutation({
    changes: ["users"],
    mutationFn: () =>
      call(api.PATCH("/api/v2/user/{userId}", { params: { path: { userId: user.id } }, body: { displayName, type, status } })),
    onSuccess: onClose,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  const own = isSelf ? t("editUserDialog.cantChangeOwnAsk") : undefined;
  const knownStatuses = statuses.some(({ value }) => value === user.status)
    ? statuses
    : [...statuses, { value: user.status, label: user.status }];
  return (
    <Modal opened onClose={onClose} title={user.email} centered>
      <form onSubmit={submit}>
        <Stack gap="sm">
          {user.requestedIdentity && <RequestedIdentity user={user} requested={user.requestedIdentity} onDone={onClose} />}
          <TextInput
            label={t("editUserDialog.name")}
            maxLength={400}
            value={displayName}
            onChange={(event) => setDisplayName(event.currentTarget.value)}
          />
          <Select
            label={t("editUserDialog.type")}
            description={own ?? userTypeWords[type]?.means}
            disabled={isSelf}
            allowDeselect={false}
            data={Object.entries(userTypeWords).map(([value, { word }]) => ({ value, label: word }))}
            value={type}
            onChange={(value) => value && setType(value)}
          />
          <Select
            label={t("editUserDialog.status")}
            description={own ?? t("editUserDialog.statusHelp")}
            disabled={isSelf}
            allowDeselect={false}
            data={knownStatuses}
            value={status}
            onChange={(value) => value && setStatus(value)}
          />
          {save.error !== null && (
            <Text role="alert" size="sm" c="var(--status-failed)">
              {messageOf(save.error)}
            </Text>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t("editUserDialog.cancel")}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {t("editUserDialog.saveUser")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
