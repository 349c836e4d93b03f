import type { TriggerKind } from "@millrace/contract/status.ts";
import type { components } from "../api/schema.generated.ts";

type Member = components["schemas"]["TeamMember"];

/** How a run came to be, in a word. */
export const triggerWords: Readonly<Record<TriggerKind, string>> = {
  manual: "by hand",
  schedule: "schedule",
  webhook: "webhook",
  event: "event",
  codehost: "codehost",
  workflow: "end of a run",
  engine: "engine",
  task: "task",
};

/** Ids begin with the time at which they were made; their end tells them apart. */
export const shortId = (id: string): string => id.slice(-8);

/**
 * Who or what started a run, in words.
 * @param by `user:<id>`, `token:<id>`, `run:<id>` …
 */
export function initiatorText(by: string | undefined, trigger: TriggerKind, members: readonly Member[]): string {
  const [kind, id = ""] = by?.split(":") ?? [];
  if (kind === "user") {
    const member = members.find((one) => one.id === id);
    return member?.name || member?.email || "somebody who left";
  }
  if (kind === "token") return "a token";
  if (kind === "run") return "another run";
  return triggerWords[trigger];
}
