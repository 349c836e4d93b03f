import { IconCompass, IconPlayerPlay, IconPuzzle, IconSitemap, IconTemplate, IconUsersGroup } from "@tabler/icons-react";
import { t } from "../../texts/frame.ts";
import classes from "./command-palette.module.css";
import type { PaletteEntry, PaletteKind } from "./palette-entries.ts";

const looks: Record<PaletteKind, { icon: typeof IconSitemap; word: string; heading: string }> = {
  Places: { icon: IconCompass, word: t("paletteEntry.place"), heading: t("paletteEntry.places") },
  Workflows: { icon: IconSitemap, word: t("paletteEntry.workflow"), heading: t("paletteEntry.workflows") },
  Runs: { icon: IconPlayerPlay, word: t("paletteEntry.run"), heading: t("paletteEntry.runs") },
  Teams: { icon: IconUsersGroup, word: t("paletteEntry.team"), heading: t("paletteEntry.teams") },
  Tasks: { icon: IconPuzzle, word: t("paletteEntry.task"), heading: t("paletteEntry.tasks") },
  Templates: { icon: IconTemplate, word: t("paletteEntry.template"), heading: t("paletteEntry.templates") },
};

interface EntryProps {
  id: string;
  entry: PaletteEntry;
  /** The first of its kind stands below a heading. */
  isFirst: boolean;
  isChosen: boolean;
  onChoose: () => void;
}

/** One line of the palette: what it is, its name, where it is. */
export function Entry({ id, entry: { kind, label, detail }, isFirst, isChosen, onChoose }: EntryProps) {
  const { icon: Icon, word, heading } = looks[kind];
  return (
    <>
      {isFirst && (
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
