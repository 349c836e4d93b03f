import type { TaskScope } from "../../../api/queries/task/tasks.ts";
import type { TaskDraftState } from "../../../forms/task-form/task-draft.ts";
import { forgetInTab, keptInTab, useKeptInTab } from "../../../hooks/kept-in-tab.ts";
import type { TaskBase } from "./use-task-base.ts";

/** The unsaved document of a task, kept in this tab, with the saved one that it is based on. */
interface KeptText {
  text: string;
  base: string;
  etag?: string | undefined;
  /** RFC 3339. */
  at: string;
}

const keyOf = (scope: TaskScope, name: string) => `millrace-task-${scope ?? ""}/${name}`;

export function keptText(scope: TaskScope, name: string): KeptText | undefined {
  const kept = keptInTab<KeptText>(keyOf(scope, name));
  return [kept?.text, kept?.base, kept?.at].every((one) => typeof one === "string") ? kept : undefined;
}

export function forgetText(scope: TaskScope, name: string): void {
  forgetInTab(keyOf(scope, name));
}

interface Changes {
  state: TaskDraftState;
  base: TaskBase;
  isUnsaved: boolean;
  isReadOnly: boolean;
}

/** In the text, which may have an error, of the declaration of a parameter in `spec` or in an annotation. */
const secretType = /\btype\\?["']?\s*:[^\n]*\b(password|secret)\b/i;

/** A document with a secret is not kept: its default is in clear text where the author types it. */
export function useKeptText(scope: TaskScope, name: string, { state, base, isUnsaved, isReadOnly }: Changes): void {
  const { text } = state;
  const { etag } = base;
  const hasSecret = [text, base.text].some((one) => secretType.test(one));
  const textNow = (): KeptText => ({ text, base: base.text, etag, at: new Date().toISOString() });
  useKeptInTab(isReadOnly ? undefined : keyOf(scope, name), isUnsaved && !hasSecret ? textNow : undefined);
}
