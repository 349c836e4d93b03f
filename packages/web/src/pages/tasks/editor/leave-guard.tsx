import { useBlocker } from "@tanstack/react-router";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";

/** Asks before unsaved changes are lost: by a link, by going back, or by closing the page. */
export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      isOpen={status === "blocked"}
      onClose={() => reset?.()}
      title="Leave without saving?"
      action="Discard and leave"
      dismiss="Keep editing"
      isDangerous
      onConfirm={async () => proceed?.()}
    >
      Your unsaved changes are lost.
    </ConfirmDialog>
  );
}
