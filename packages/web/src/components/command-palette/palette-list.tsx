import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { messageOf } from "../../api/api-error.ts";
import classes from "./command-palette.module.css";
import type { PaletteEntry } from "./palette-entries.ts";
import { Entry } from "./palette-entry.tsx";
import { usePaletteEntries } from "./use-palette-entries.ts";

/** The field and what fits it: arrows choose, Enter goes there. */
export function PaletteList({ team, onDone }: { team: string | undefined; onDone: () => void }) {
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const navigate = useNavigate();
  const id = useId();
  const { entries: found, isSearching, error } = usePaletteEntries(team, typed);
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
  // Enter was pressed before the service had answered: what it finds is gone to as soon as it is there.
  const isEager = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the answer is there
  useEffect(() => {
    if (!isSearching && isEager.current) go(found[chosen]);
    isEager.current &&= isSearching;
  }, [isSearching]);
  const enter = () => {
    if (isSearching && at === 0) isEager.current = true;
    else go(found[chosen]);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") setAt(found.length === 0 ? 0 : (chosen + 1) % found.length);
    else if (event.key === "ArrowUp") setAt(found.length === 0 ? 0 : (chosen - 1 + found.length) % found.length);
    else if (event.key === "Enter") enter();
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        className={classes.field}
        role="combobox"
        aria-label="Search places, teams, workflows, tasks, templates and runs"
        aria-expanded
        aria-autocomplete="list"
        aria-controls={id}
        aria-activedescendant={found.length > 0 ? `${id}-${chosen}` : undefined}
        placeholder="Place, team, workflow, task, template or run"
        autoComplete="off"
        data-autofocus
        // biome-ignore lint/a11y/noAutofocus: it was opened to type
        autoFocus
        value={typed}
        onKeyDown={onKey}
        onChange={(event) => {
          isEager.current = false;
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
      {(found.length === 0 || error !== null) && (
        <p className={classes.nothing} role="status">
          {error !== null ? messageOf(error) : isSearching ? "Searching …" : `Nothing named “${typed.trim()}” among what you may read.`}
        </p>
      )}
    </>
  );
}
