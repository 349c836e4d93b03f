import { Kbd, UnstyledButton } from "@mantine/core";
import { useDisclosure, useHotkeys } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { lazy, Suspense } from "react";
import { t } from "../../texts/frame.ts";
import classes from "./command-palette.module.css";

const PaletteDialog = lazy(async () => ({ default: (await import("./palette-list.tsx")).PaletteDialog }));

/**
 * Jumps to a place, a team, a workflow, a task, a template or a run by a few letters of its name: Ctrl K or ⌘ K from anywhere. What
 * it knows is loaded when it is opened.
 */
export function CommandPalette({ team }: { team: string | undefined }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  // Also while one types somewhere.
  useHotkeys([["mod+K", open]], []);
  return (
    <>
      <UnstyledButton className={classes.opener} onClick={open} aria-keyshortcuts="Control+K Meta+K">
        <IconSearch size={16} aria-hidden /> <span className={classes.word}>{t("commandPalette.jump")}</span>{" "}
        <Kbd size="xs">{t("keysHelp.ctrlK")}</Kbd>
      </UnstyledButton>
      {isOpen && (
        <Suspense>
          <PaletteDialog team={team} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
