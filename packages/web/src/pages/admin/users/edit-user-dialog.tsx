import { Alert, Button, Select, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { api, call } from "../../../api/client.ts";
import type { User } from "../../../api/queries/identity/session.ts";
import { useCaller } from "../../../hooks/use-caller.ts";
import { useApiMutation } from "../../../hooks/use-renew.ts";
import { t } from "../../../texts/settings/administration.ts";
import { FormDialog } from "../../../ui/dialog/form-dialog.tsx";
import { RefusalText } from "../../../ui/state/refusal-alert.tsx";
import { TimeText } from "../../../ui/time/time-text.tsx";
import { userTypeWords } from "./user-words.ts";

const statuses = [
  { value: "active", label: t("editUserDialog.activeSign") },
  { value: "inactive", label: t("editUserDialog.inactiveCantSign") },
];

interface UserValues {
  displayName: string;
  type: string;
  status: string;
}

/** Edits the name, type and status of a user. Fields that users can't change for their own account are shown with the reason. */
export function EditUserDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const isSelf = useCaller().userId === user.id;
  const form = useForm<UserValues>({
    initialValues: { displayName: user.displayName ?? user.name ?? "", type: user.type, status: user.status },
  });
  const save = useApiMutation({
    changes: ["users"],
    mutationFn: (body: UserValues) => call(api.PATCH("/api/v2/user/{userId}", { params: { path: { userId: user.id } }, body })),
  });
  const own = isSelf ? t("editUserDialog.cantChangeOwnAsk") : undefined;
  const knownStatuses = statuses.some(({ value }) => value === user.status)
    ? statuses
    : [...statuses, { value: user.status, label: user.status }];
  return (
    <FormDialog title={user.email} form={form} action={t("editUserDialog.saveUser")} onSubmit={save.mutateAsync} onClose={onClose}>
      {user.requestedIdentity && <RequestedIdentity user={user} requested={user.requestedIdentity} onDone={onClose} />}
      <TextInput label={t("editUserDialog.name")} maxLength={400} {...form.getInputProps("displayName")} />
      <Select
        label={t("editUserDialog.type")}
        description={own ?? userTypeWords[form.values.type]?.means}
        disabled={isSelf}
        allowDeselect={false}
        data={Object.entries(userTypeWords).map(([value, { word }]) => ({ value, label: word }))}
        {...form.getInputProps("type")}
      />
      <Select
        label={t("editUserDialog.status")}
        description={own ?? t("editUserDialog.statusHelp")}
        disabled={isSelf}
        allowDeselect={false}
        data={knownStatuses}
        {...form.getInputProps("status")}
      />
    </FormDialog>
  );
}

interface RequestedIdentityProps {
  user: User;
  requested: NonNullable<User["requestedIdentity"]>;
  onDone: () => void;
}

/**
 * Someone with this user's email address but another subject at the identity provider was refused. An administrator can accept that
 * subject.
 */
function RequestedIdentity({ user, requested, onDone }: RequestedIdentityProps) {
  const mayAgree = useCaller().permissions.includes("**/**");
  const agree = useApiMutation({
    changes: ["users"],
    toast: () => t("editUserDialog.identityAccepted"),
    mutationFn: () => {
      const { issuer, subject } = requested;
      return call(api.PATCH("/api/v2/user/{userId}", { params: { path: { userId: user.id } }, body: { identity: { issuer, subject } } }));
    },
    onSuccess: onDone,
  });
  return (
    <Alert title={t("editUserDialog.anotherIdentityTriedSign")} color="yellow">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          {t.rich("editUserDialog.subjectAcceptOnlyIf", {
            code: () => <code>{requested.subject}</code>,
            issuer: requested.issuer,
            time: () => <TimeText at={requested.date} />,
          })}
        </Text>
        <RefusalText error={agree.error} />
        <Button size="xs" variant="default" disabled={!mayAgree} loading={agree.isPending} onClick={() => agree.mutate()}>
          {t("editUserDialog.acceptIdentity")}
        </Button>
        {!mayAgree && (
          <Text size="xs" className="quiet">
            {t("editUserDialog.onlyAdministratorsAccept")}
          </Text>
        )}
      </Stack>
    </Alert>
  );
}
