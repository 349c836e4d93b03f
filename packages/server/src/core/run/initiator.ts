import type { InitiatorType } from "@millrace/contract/status.ts";

/**
 * Who or what started a run. It is stored as one text, which is used to find runs and to recognise votes of the person who started the run:
 * `user:ID`, `token:ID` (`token:admin` and `token:local` are in no table), `schedule:ID`, `run:ID` (a task of that run, or its end),
 * `integration:NAME` (a signed message of a platform: webhook, codehost, chat) and `instance`. Responses show its parts. The functions
 * initiator_type, initiator_ref and initiator_name of the schema do the same for messages that the database creates.
 */
export interface Initiator {
  type: InitiatorType;
  /** Without the type in front. Null if there is nothing to refer to. */
  ref: string | null;
}

const typeOfWord: ReadonlyMap<string, InitiatorType> = new Map([
  ["user", "user"],
  ["token", "token"],
  ["schedule", "schedule"],
  ["run", "workflow"],
]);

export function parseInitiator(stored: string): Initiator {
  const colon = stored.indexOf(":");
  if (colon < 0) return { type: "instance", ref: null };
  return { type: typeOfWord.get(stored.slice(0, colon)) ?? "instance", ref: stored.slice(colon + 1) };
}

const words = [...typeOfWord.keys(), "integration"];

/** Every stored text that a search for runs may mean, by the id that responses show (`ID`) or with its type (`user:ID`). */
export function initiatorTexts(wanted: string): string[] {
  return wanted.includes(":") || wanted === "instance" ? [wanted] : words.map((word) => `${word}:${wanted}`);
}
