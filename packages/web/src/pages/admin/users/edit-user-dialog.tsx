import { Alert, Button, Select, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { api, call } from "../../../api/client.ts";
import type { User } from "../../../api/queries/users.ts";
import { useApiMutation } from "../../../hooks/use-api-mutation.ts";
import { useCaller } from "../../../hooks/use-caller.ts";
import { FormDialog } from "../../../ui/dialog/form-dialog.tsx";
import { RefusalText } from "../../../ui/state/refusal-text.tsx";
import { TimeText } from "../../../ui/time/time-text.tsx";
import { userTypeWords } from "./user-words.ts";

const statuses = [
  { value: "active", label: "Active: can sign in" },
  { value: "inactive", label: "Inactive: can't sign in" },
];

interface UserValues {
  displayName: string;
  type: string;
  status: string;
}

/** Name, type and status of a person. What people may not change of themselves is shown, and says so. */
export function EditUserDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const isSelf = useCaller().userId === user.id;
  const form = useForm<UserValues>({
    initialValues: { displayName: user.displayName ?? user.name ?? "", type: user.type, status: user.status },
  });
  const save = useApiMutation({
    changes: ["users"],
    mutationFn: (body: UserValues) => call(api.PATCH("/api/v2/user/{userId}", { params: { path: { userId: user.id } }, body })),
  });
  const own = isSelf ? "You can't change your own. Ask another administrator." : undefined;
  const knownStatuses = statuses.some(({ value }) => value === user.status)
    ? statuses
    : [...statuses, { value: user.status, label: user.status }];
  return (
    <FormDialog title={user.email} form={form} action="Save user" onSubmit={save.mutateAsync} onClose={onClose}>
      {user.requestedIdentity && <RequestedIdentity user={user} requested={user.requestedIdentity} onDone={onClose} />}
      <TextInput label="Name" maxLength={400} {...form.getInputProps("displayName")} />
      <Select
        label="Type"
        description={own ?? userTypeWords[form.values.type]?.means}
        disabled={isSelf}
        allowDeselect={false}
        data={Object.entries(userTypeWords).map(([value, { word }]) => ({ value, label: word }))}
        {...form.getInputProps("type")}
      />
      <Select
        label="Status"
        description={own ?? "Setting a user to inactive ends all sessions at once and suspends the user's tokens."}
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
 * Somebody with the address of this user, but another subject at the identity provider, was refused. An administrator can let that
 * subject in.
 */
function RequestedIdentity({ user, requested, onDone }: RequestedIdentityProps) {
  const mayAgree = useCaller().permissions.includes("**/**");
  const agree = useApiMutation({
    changes: ["users"],
    toast: () => "Identity accepted.",
    mutationFn: () => {
      const { issuer, subject } = requested;
      return call(api.PATCH("/api/v2/user/{userId}", { params: { path: { userId: user.id } }, body: { identity: { issuer, subject } } }));
    },
    onSuccess: onDone,
  });
  return (
    <Alert title="Another identity tried to sign in with this address" color="yellow">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          Subject <code>{requested.subject}</code> of {requested.issuer}, <TimeText at={requested.date} />. Accept it only if you know that
          it is the same person. The identity signs in as this user from then on, and the user's current sessions end.
        </Text>
        <RefusalText error={agree.error} />
        <Button size="xs" variant="default" disabled={!mayAgree} loading={agree.isPending} onClick={() => agree.mutate()}>
          Accept identity
        </Button>
        {!mayAgree && (
          <Text size="xs" className="quiet">
            Only administrators can accept an identity.
          </Text>
        )}
      </Stack>
    </Alert>
  );
}
