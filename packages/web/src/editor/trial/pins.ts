import type { TaskPin } from "../../api/queries/workflow/trials.ts";
import type { Draft } from "../draft/draft.ts";
import { upstreamOf } from "../draft/graph-edits.ts";
import { stampsOf } from "./trial-state.ts";

/** A pin as this tab keeps it. */
export interface KeptPin extends TaskPin {
  /** Of the task and all before it when the output was pinned. Without it, the pin counts as stale. */
  stamp?: string | undefined;
}

export type KeptPins = Readonly<Record<string, KeptPin>>;

/** The same as long as the task and all tasks before it do the same. */
export function pinStamp(draft: Draft, name: string): string {
  const stamps = stampsOf(draft);
  const parts = [name, ...[...upstreamOf(draft, name)].sort()].map((each) => stamps.get(each) ?? "");
  return digest(parts.join("\n"));
}

/** The pinned tasks that have been changed since, or a task before them: what is pinned may not be what they would give now. */
export function stalePins(draft: Draft, pins: KeptPins): Set<string> {
  return new Set(Object.keys(pins).filter((name) => pins[name]?.stamp !== pinStamp(draft, name)));
}

/**
 * The pins after a change of the draft: a renamed task takes its pin along, and a new task doesn't get the pin of a removed one with the
 * same name. If a removal is undone, the pin is there again.
 */
export function followDraft(pins: KeptPins, before: Draft, after: Draft): KeptPins {
  if (before === after || Object.keys(pins).length === 0) return pins;
  const [old, now] = [before, after].map(({ tasks }) => tasks.map(({ name }) => name)) as [string[], string[]];
  const [was, is] = [new Set(old), new Set(now)];
  const gone = old.filter((name) => !is.has(name));
  const come = now.filter((name) => !was.has(name));
  if (come.length === 0) return pins;
  const [from = ""] = gone;
  const [to = ""] = come;
  if (gone.length === 1 && come.length === 1 && old.length === now.length && old.indexOf(from) === now.indexOf(to))
    return renamed(pins, { before, after, from, to });
  const stale = stalePins(after, pins);
  const isOther = (name: string) => come.includes(name) && stale.has(name);
  const kept = Object.entries(pins).filter(([name]) => !isOther(name));
  return kept.length === Object.keys(pins).length ? pins : Object.fromEntries(kept);
}

/** A new name changes neither the task nor those behind it: their pins are no more stale than before. */
function renamed(pins: KeptPins, { before, after, from, to }: Record<"before" | "after", Draft> & Record<"from" | "to", string>): KeptPins {
  const stale = stalePins(before, pins);
  return Object.fromEntries(
    Object.entries(pins)
      .filter(([name]) => name !== to)
      .map(([name, pin]) => {
        const now = name === from ? to : name;
        return [now, stale.has(name) ? pin : { ...pin, stamp: pinStamp(after, now) }];
      }),
  );
}

/** Length and FNV-1a hash, enough to notice a change: the tab keeps it instead of scripts that may be long. */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return `${text.length}-${(hash >>> 0).toString(36)}`;
}
