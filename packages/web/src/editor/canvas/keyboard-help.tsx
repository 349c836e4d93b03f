import { Modal } from "@mantine/core";
import { t } from "../../texts/designer.ts";
import { KeyTable } from "../../ui/table/key-table.tsx";
import { canvasKeys } from "./use-canvas-keys.ts";

/** Everything can be done without a pointer; this says how. */
export function KeyboardHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal
      closeButtonProps={{ "aria-label": t("keyboardHelp.close") }}
      opened={isOpen}
      onClose={onClose}
      title={t("keyboardHelp.canvasShortcuts")}
      size="lg"
      centered
    >
      <KeyTable keys={canvasKeys} width={320} />
    </Modal>
  );
}
