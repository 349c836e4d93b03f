import { ApiError } from "@millrace/client/api-error.ts";
import type { Workflow } from "../../api/queries/workflow/workflows.ts";
import { type Draft, sameJson } from "./draft.ts";
import { useDraft } from "./draft-context.ts";
import { useSaving } from "./save-context.ts";

/** Members of a workflow. */
export type Part = Partial<Workflow>;

interface SectionOptions<Value extends object> {
  /** The name that identifies the section's input. */
  section: string;
  /** The members of the document that it shows and edits. */
  members: readonly (keyof Workflow & string)[];
  read: (workflow: Part) => Value;
  /** The members to write for the form's value; undefined if it can't be represented yet. @param before the members as saved */
  write: (value: Value, before: Part) => Part | undefined;
}

/**
 * A section of the configuration as a view of the one draft of its workflow: what is typed is in the draft at once, stays while one
 * visits other pages of the workflow, and is saved with this section or with the whole draft. It is no form of the kit: a form keeps
 * values of its own, which an undo, or a change on the canvas, would have to be brought into.
 */
export function useSectionDraft<Value extends object>({ section, members, read, write }: SectionOptions<Value>) {
  const { history, change: changeDraft, typed, setTyped } = useDraft();
  const { save, isSaving, error, forgetError } = useSaving();
  const { baseline, present } = history;
  const known = typed.get(section);
  // The input counts until the draft differs from it: after an undo, a save, or a change by someone else.
  const isTyped = known !== undefined && (known.isUnreadable || isIn(write(known.value as Value, baseline as Part), present));
  const value = isTyped ? (known.value as Value) : read(present as Part);
  return {
    value,
    isChanged: (isTyped && known.isUnreadable) || members.some((member) => !sameJson(present[member], baseline[member])),
    change: (part: Partial<Value>) => {
      forgetError();
      const next = { ...value, ...part };
      const written = write(next, baseline as Part);
      setTyped(section, { value: next, isUnreadable: written === undefined });
      if (written) changeDraft((draft) => ({ ...draft, ...written }) as Draft, `configure ${section}`);
    },
    reset: () => {
      forgetError();
      setTyped(section, undefined);
      changeDraft((draft) => ({ ...draft, ...Object.fromEntries(members.map((member) => [member, baseline[member]])) }) as Draft);
    },
    save: () => save({ members }),
    isBusy: isSaving,
    error,
    /** The error at that path of the document or below it. */
    faultAt: (path: string) => (error instanceof ApiError ? error.errors : []).find((fault) => isWithin(fault.path, path))?.message,
  };
}

export type SectionDraft = Pick<ReturnType<typeof useSectionDraft<object>>, "isChanged" | "reset" | "save" | "isBusy" | "error">;

function isIn(part: Part | undefined, draft: Draft): boolean {
  return part !== undefined && Object.entries(part).every(([member, value]) => sameJson(value, draft[member]));
}

function isWithin(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}

/** The properties of every section of the configuration. */
export interface SectionProps {
  team: string;
  /** Includes unsaved changes. */
  workflow: Workflow;
}
