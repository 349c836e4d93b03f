import { useEffect, useId, useRef } from "react";
import { messageOf } from "../../api/api-error.ts";
import { t } from "../../texts/frame.ts";
import classes from "./command-palette.module.css";
import { Entry } from "./palette-entry.tsx";
import { usePaletteChoice } from "./use-palette-choice.ts";

/** The field and what fits it: arrows choose, Enter goes there. */
export function PaletteList({ team, onDone }: { team: string | undefined; onDone: () => void }) {
  const { typed, type, found, chosen, isSearching, error, go, onKey } = usePaletteChoice(team, onDone);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another one is chosen
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [chosen, typed]);
  return (
    <>
      <input
        className={classes.field}
        role="combobox"
        aria-label={t("paletteList.searchPlacesTeamsWorkflows")}
        aria-expanded
        aria-autocomplete="list"
        aria-controls={id}
        aria-activedescendant={found.length > 0 ? `${id}-${chosen}` : undefined}
        placeholder={t("paletteList.placeTeamWorkflowTaskPlaceholder")}
        autoComplete="off"
        data-autofocus
        // biome-ignore lint/a11y/noAutofocus: it was opened to type
        autoFocus
        value={typed}
        onKeyDown={onKey}
        onChange={(event) => type(event.currentTarget.value)}
      />
      <div id={id} ref={list} role="listbox" aria-label={t("paletteList.found")} className={classes.list}>
        {found.map((entry, index) => (
          <Entry
            key={`${entry.kind} ${entry.to} ${entry.label}`}
            id={`${id}-${index}`}
            entry={entry}
            isFirst={entry.kind !== found[index - 1]?.kind}
            isChosen={index === chosen}
            onChoose={() => go(entry)}
          />
        ))}
      </div>
      {(found.length === 0 || error !== null) && (
        <p className={classes.nothing} role="status">
          {error !== null
            ? messageOf(error)
            : isSearching
              ? t("paletteList.searching")
              : t("paletteList.noResults", { typed: typed.trim() })}
        </p>
      )}
    </>
  );
}
