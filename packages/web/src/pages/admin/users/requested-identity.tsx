import { Alert, Button, Stack, Text } from "@mantine/core";
import { messageOf } from "../../../api/api-error.ts";
import { api, call } from "../../../api/client.ts";
import type { User } from "../../../api/queries/users.ts";
import { useApiMutation } from "../../../hooks/use-api-mutation.ts";
import { useCaller } from "../../../hooks/use-caller.ts";
import { t } from "../../../texts/administration.ts";
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
    toast: () => t("requestedIdentity.identityAccepted"),
    mutationFn: () => {
      const { issuer, subject } = requested;
      return call(api.PATCH("/api/v2/user/{userId}", { params: { path: { userId: user.id } }, body: { identity: { issuer, subject } } }));
    },
    onSuccess: onDone,
  });
  return (
    <Alert title={t("requestedIdentity.anotherIdentityTriedSign")} color="yellow">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          {t.rich("requestedIdentity.subjectAcceptOnlyIf", {
            code: () => <code>{requested.subject}</code>,
            issuer: requested.issuer,
            time: () => <TimeText at={requested.date} />,
          })}
        </Text>
        {agree.error !== null && (
          <Text role="alert" size="sm" c="var(--status-failed)">
            {messageOf(agree.error)}
          </Text>
        )}
        <Button size="xs" variant="default" disabled={!mayAgree} loading={agree.isPending} onClick={() => agree.mutate()}>
          {t("requestedIdentity.acceptIdentity")}
        </Button>
        {!mayAgree && (
          <Text size="xs" className="quiet">
            {t("requestedIdentity.onlyAdministratorsAccept")}
          </Text>
        )}
      </Stack>
    </Alert>
  );
}
