import { IconCompass, IconPlayerPlay, IconPuzzle, IconSitemap, IconTemplate, IconUsersGroup } from "@tabler/icons-react";
import classes from "./command-palette.module.css";
import type { PaletteEntry, PaletteKind } from "./palette-entries.ts";

const looks: Record<PaletteKind, { icon: typeof IconSitemap; word: string }> = {
  Places: { icon: IconCompass, word: "Place" },
  Workflows: { icon: IconSitemap, word: "Workflow" },
  Runs: { icon: IconPlayerPlay, word: "Run" },
  Teams: { icon: IconUsersGroup, word: "Team" },
  Tasks: { icon: IconPuzzle, word: "Task" },
  Templates: { icon: IconTemplate, word: "Template" },
};

interface EntryProps {
  id: string;
  entry: PaletteEntry;
  heading: string | undefined;
  isChosen: boolean;
  onChoose: () => void;
}

/** One line of the palette: what it is, its name, where it is. */
export function Entry({ id, entry: { kind, label, detail }, heading, isChosen, onChoose }: EntryProps) {
  const { icon: Icon, word } = looks[kind];
  return (
    <>
      {heading !== undefined && (
        <div role="presentation" className={classes.heading}>
          {heading}
        </div>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keyboard */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the field above keeps the focus */}
      <div role="option" id={id} aria-selected={isChosen} className={classes.entry} onClick={onChoose}>
        <Icon size={16} aria-hidden className={classes.icon} />
        <span className={classes.label}>{label}</span>
        <span className={classes.detail}>{detail}</span>
        <span className={classes.kind}>{word}</span>
      </div>
    </>
  );
}
