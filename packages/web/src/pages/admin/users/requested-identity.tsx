import { Alert, Button, Stack, Text } from "@mantine/core";
import { messageOf } from "../../../api/api-error.ts";
import { api, call } from "../../../api/client.ts";
import type { User } from "../../../api/queries/users.ts";
import { useApiMutation } from "../../../hooks/use-api-mutation.ts";
import { useCaller } from "../../../hooks/use-caller.ts";
import { TimeText } from "../../../ui/time/time-text.tsx";

interface RequestedIdentityProps {
  user: User;
  requested: NonNullable<User["requestedIdentity"]>;
  onDone: () => void;
}

/**
 * Somebody with the address of this user, but another subject at the identity provider, was refused. An administrator can let that
 * subject in.
 */
export function RequestedIdentity({ user, requested, onDone }: RequestedIdentityProps) {
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
        {agree.error !== null && (
          <Text role="alert" size="sm" c="var(--status-failed)">
            {messageOf(agree.error)}
          </Text>
        )}
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
