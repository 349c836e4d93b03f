import { Kbd, UnstyledButton } from "@mantine/core";
import { useDisclosure, useHotkeys } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { lazy, useState } from "react";
import { t } from "../../texts/frame.ts";
import { LateOverlay } from "../../ui/dialog/late-overlay.tsx";
import classes from "./command-palette.module.css";

const PaletteDialog = lazy(async () => ({ default: (await import("./palette-list.tsx")).PaletteDialog }));

/**
 * Finds a page, team, workflow, task, template or run by a few letters of its name, and opens it: Ctrl K or ⌘ K on every page. Its data is
 * loaded when it is opened, and so is its code; what is typed in the meantime is searched for.
 */
export function CommandPalette({ team }: { team: string | undefined }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const [early, setEarly] = useState("");
  const begin = () => {
    setEarly("");
    open();
  };
  // Works even while the focus is in a text field.
  useHotkeys([["mod+K", begin]], []);
  return (
    <>
      <UnstyledButton className={classes.opener} onClick={begin} aria-keyshortcuts="Control+K Meta+K">
        <IconSearch size={16} aria-hidden /> <span className={classes.word}>{t("commandPalette.jump")}</span>{" "}
        <Kbd size="xs">{t("keysHelp.ctrlK")}</Kbd>
      </UnstyledButton>
      {isOpen && (
        <LateOverlay onClose={close} onText={(text) => setEarly((before) => before + text)}>
          <PaletteDialog team={team} typed={early} onClose={close} />
        </LateOverlay>
      )}
    </>
  );
}
