import { Alert, Button, Group, Text } from "@mantine/core";
import { messageOf } from "../../api/api-error.ts";
import { useDraft } from "./draft-context.ts";
import { useSaving } from "./save-context.ts";

/** Above the views: why a save was refused, and that somebody else has saved meanwhile. */
export function DraftNotices() {
  const { whyNotEdit, isDirty } = useDraft();
  const { error, forgetError, newer, compare } = useSaving();
  return (
    <>
      {whyNotEdit !== undefined && (
        <Alert color="gray" variant="light" mx="md" my={8} py={8}>
          <Text size="sm">You have read-only access. {whyNotEdit}</Text>
        </Alert>
      )}
      {error !== null && error !== undefined && (
        <Alert
          color="red"
          variant="outline"
          mx="md"
          mb="xs"
          py={8}
          role="alert"
          withCloseButton
          closeButtonLabel="Close"
          onClose={forgetError}
        >
          <Text size="sm">Not saved: {messageOf(error)}</Text>
        </Alert>
      )}
      {newer && isDirty && (
        <Alert color="yellow" variant="outline" mx="md" my={8} py={8} role="status">
          <Group gap="sm">
            <Text size="sm">
              {newer.data.changelog?.author} saved version {newer.data.version} while you were editing.
            </Text>
            <Button size="compact-sm" variant="default" onClick={() => compare(true)}>
              Compare
            </Button>
          </Group>
        </Alert>
      )}
    </>
  );
}
