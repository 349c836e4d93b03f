import { Button, Group, Modal, Text } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { paths } from "../../paths.ts";
import { t } from "../../texts/designer.ts";
import { useDraft } from "./draft-context.ts";

/** An old version is shown by itself, without the draft. */
function isOldVersion(search: unknown): boolean {
  return Number((search as { version?: unknown }).version) > 0;
}

function isWithin(path: string, home: string): boolean {
  return `${path}/`.startsWith(home.endsWith("/") ? home : `${home}/`);
}

/**
 * Asks before changes are lost: when another place is opened, and when the page is closed. The views of the same workflow share the draft.
 */
export function LeaveGuard({ isOn }: { isOn: boolean }) {
  const { team, workflow } = useDraft();
  const home = paths.workflow(team, workflow, "");
  const { proceed, reset, status } = useBlocker({
    shouldBlockFn: ({ next }) => isOn && !(isWithin(next.pathname, home) && !isOldVersion(next.search)),
    enableBeforeUnload: () => isOn,
    disabled: !isOn,
    withResolver: true,
  });
  return (
    <Modal
      closeButtonProps={{ "aria-label": t("leaveGuard.close") }}
      opened={status === "blocked"}
      onClose={() => reset?.()}
      title={t("leaveGuard.leaveWithoutSaving")}
      centered
    >
      <Text>{t("leaveGuard.workflowHasUnsavedChanges")}</Text>
      <Group justify="flex-end" gap="xs" mt="md">
        <Button variant="default" onClick={() => proceed?.()}>
          {t("leaveGuard.discardLeave")}
        </Button>
        <Button onClick={() => reset?.()} data-autofocus>
          {t("leaveGuard.keepEditing")}
        </Button>
      </Group>
    </Modal>
  );
}
