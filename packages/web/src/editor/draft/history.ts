import { type Draft, sameJson } from "./draft.ts";
import { mergeDrafts } from "./merge-drafts.ts";

/** The draft with its undo and redo history, as a pure reducer. */
export interface History {
  /** The draft as last loaded or saved. */
  baseline: Draft;
  present: Draft;
  past: readonly Draft[];
  future: readonly Draft[];
  /** Consecutive changes with the same key, e.g. typing in one field, are one step of the undo history. */
  key: string | undefined;
}

export type HistoryAction =
  | { type: "change"; change: (draft: Draft) => Draft; key?: string }
  | { type: "undo" }
  | { type: "redo" }
  /** Replaces the draft with the server's state; the undo history is cleared. */
  | { type: "load"; draft: Draft }
  /** Someone else has saved this: the local changes are applied on top of it, including the undo and redo history. */
  | { type: "rebase"; onto: Draft }
  /** `sent` was saved, and the service returned `draft`. Changes made in the meantime are applied on top of it. */
  | { type: "saved"; sent: Draft; draft: Draft };

const maxSteps = 200;

export function newHistory(draft: Draft): History {
  return { baseline: draft, present: draft, past: [], future: [], key: undefined };
}

export function reduceHistory(history: History, action: HistoryAction): History {
  const { present, past, future } = history;
  switch (action.type) {
    case "change":
      return changed(history, action.change(present), action.key);
    case "undo": {
      const before = past.at(-1);
      if (!before) return history;
      return { ...history, present: before, past: past.slice(0, -1), future: [present, ...future], key: undefined };
    }
    case "redo": {
      const [next, ...rest] = future;
      if (!next) return history;
      return { ...history, present: next, past: [...past, present], future: rest, key: undefined };
    }
    case "load":
      return newHistory(action.draft);
    case "rebase": {
      const move = (draft: Draft) => mergeDrafts(history.baseline, draft, action.onto).draft;
      return { ...history, baseline: action.onto, present: move(present), past: past.map(move), future: future.map(move) };
    }
    case "saved":
      return { ...history, baseline: action.draft, present: mergeDrafts(action.sent, present, action.draft).draft, key: undefined };
  }
}

function changed(history: History, next: Draft, key: string | undefined): History {
  const { present, past } = history;
  if (next === present) return history;
  const isSameStep = key !== undefined && key === history.key && past.length > 0;
  return { ...history, present: next, past: isSameStep ? past : [...past, present].slice(-maxSteps), future: [], key };
}

export function isDirty({ present, baseline }: History): boolean {
  return !sameJson(present, baseline);
}
