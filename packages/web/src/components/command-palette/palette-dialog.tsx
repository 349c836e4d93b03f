import { Modal } from "@mantine/core";
import { t } from "../../texts/frame.ts";
import { PaletteList } from "./palette-list.tsx";

/** The window of the command palette. */
export function PaletteDialog({ team, onClose }: { team: string | undefined; onClose: () => void }) {
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      title={t("commandPalette.searchJump")}
      classNames={{ header: "only-heard" }}
      size="lg"
      yOffset="12vh"
      padding={0}
    >
      <PaletteList team={team} onDone={onClose} />
    </Modal>
  );
}
