import { Button, Group, Modal, Text } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { paths } from "../paths.ts";
import { useDraft } from "./draft-context.ts";

/** Asks before changes are lost: when another place is opened, and when the page is closed. The views of the same workflow share the draft. */
export function LeaveGuard({ isOn }: { isOn: boolean }) {
  const { team, workflow } = useDraft();
  const home = paths.workflow(team, workflow, "");
  const { proceed, reset, status } = useBlocker({
    shouldBlockFn: ({ next }) => isOn && !next.pathname.startsWith(home),
    enableBeforeUnload: () => isOn,
    disabled: !isOn,
    withResolver: true,
  });
  return (
    <Modal
      closeButtonProps={{ "aria-label": "Close" }}
      opened={status === "blocked"}
      onClose={() => reset?.()}
      title="Leave without saving?"
      centered
    >
      <Text>The changes of this workflow are not saved. Leaving loses them.</Text>
      <Group justify="flex-end" gap="xs" mt="md">
        <Button variant="default" onClick={() => proceed?.()}>
          Leave and lose them
        </Button>
        <Button onClick={() => reset?.()} data-autofocus>
          Stay here
        </Button>
      </Group>
    </Modal>
  );
}
