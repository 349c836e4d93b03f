import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import classes from "./command-palette.module.css";
import { findEntries, type PaletteEntry } from "./palette-entries.ts";
import { usePaletteEntries } from "./use-palette-entries.ts";

/** The field and what fits it: arrows choose, Enter goes there. */
export function PaletteList({ team, onDone }: { team: string | undefined; onDone: () => void }) {
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const navigate = useNavigate();
  const id = useId();
  const found = findEntries(usePaletteEntries(team), typed);
  const chosen = Math.min(at, Math.max(0, found.length - 1));
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another one is chosen
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [chosen, typed]);
  const go = (entry: PaletteEntry | undefined) => {
    if (entry === undefined) return;
    onDone();
    void navigate({ href: entry.to });
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") setAt(found.length === 0 ? 0 : (chosen + 1) % found.length);
    else if (event.key === "ArrowUp") setAt(found.length === 0 ? 0 : (chosen - 1 + found.length) % found.length);
    else if (event.key === "Enter") go(found[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        className={classes.field}
        role="combobox"
        aria-label="Search places, workflows, runs and teams"
        aria-expanded
        aria-autocomplete="list"
        aria-controls={id}
        aria-activedescendant={found.length > 0 ? `${id}-${chosen}` : undefined}
        placeholder="Place, workflow, run or team"
        autoComplete="off"
        data-autofocus
        // biome-ignore lint/a11y/noAutofocus: it was opened to type
        autoFocus
        value={typed}
        onKeyDown={onKey}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setAt(0);
        }}
      />
      <div id={id} ref={list} role="listbox" aria-label="Found" className={classes.list}>
        {found.map((entry, index) => (
          <Entry
            key={`${entry.kind} ${entry.to} ${entry.label}`}
            id={`${id}-${index}`}
            entry={entry}
            heading={entry.kind === found[index - 1]?.kind ? undefined : entry.kind}
            isChosen={index === chosen}
            onChoose={() => go(entry)}
          />
        ))}
      </div>
      {found.length === 0 && (
        <p className={classes.nothing} role="status">
          Nothing of this name. Workflows are found in your own teams, runs among the latest.
        </p>
      )}
    </>
  );
}

interface EntryProps {
  id: string;
  entry: PaletteEntry;
  heading: string | undefined;
  isChosen: boolean;
  onChoose: () => void;
}

function Entry({ id, entry: { label, detail }, heading, isChosen, onChoose }: EntryProps) {
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
        <span>{label}</span> <span className={classes.detail}>{detail}</span>
      </div>
    </>
  );
}
