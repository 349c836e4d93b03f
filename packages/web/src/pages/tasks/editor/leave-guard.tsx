import { Button, Group, Modal, Text } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { t } from "../../../texts/tasks.ts";

/** Asks before unsaved changes are lost: by a link, by going back, or by closing the page. */
export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  return (
    <Modal opened={status === "blocked"} onClose={() => reset?.()} title={t("leaveGuard.leaveWithoutSaving")} centered>
      <Text>{t("leaveGuard.unsavedChangesLost")}</Text>
      <Group justify="flex-end" gap="xs" mt="md">
        <Button variant="default" onClick={() => reset?.()}>
          {t("leaveGuard.keepEditing")}
        </Button>
        <Button color="red.8" onClick={() => proceed?.()}>
          {t("leaveGuard.discardLeave")}
        </Button>
      </Group>
    </Modal>
  );
}
