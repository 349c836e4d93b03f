import { Button, Group, Modal, Text } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";

/** Asks before unsaved changes are lost: by a link, by going back, or by closing the page. */
export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  return (
    <Modal opened={status === "blocked"} onClose={() => reset?.()} title="Leave without saving?" centered>
      <Text>Your unsaved changes are lost.</Text>
      <Group justify="flex-end" gap="xs" mt="md">
        <Button variant="default" onClick={() => reset?.()}>
          Keep editing
        </Button>
        <Button color="red.8" onClick={() => proceed?.()}>
          Discard and leave
        </Button>
      </Group>
    </Modal>
  );
}
