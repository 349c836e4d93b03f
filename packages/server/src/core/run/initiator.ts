import type { InitiatorType } from "@millrace/contract/status.ts";

/**
 * Who or what started a run. It is stored as one text, by which runs are found and votes of a run's own requester are recognised:
 * `user:ID`, `token:ID` (`token:admin` and `token:local` are in no table), `schedule:ID`, `run:ID` (a task of that run, or its end),
 * `integration:NAME` (a signed message of a platform: webhook, codehost, chat) and `instance`. People are shown its parts; the functions
 * initiator_type, initiator_ref and initiator_name of the schema say the same for messages that the database makes.
 */
export interface Initiator {
  type: InitiatorType;
  /** Bare, without a word before it. Null where there is nothing to point to. */
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

/** Every stored text that someone can mean who looks for runs, by what an answer shows (`ID`) or with its word (`user:ID`). */
export function initiatorTexts(wanted: string): string[] {
  return wanted.includes(":") || wanted === "instance" ? [wanted] : words.map((word) => `${word}:${wanted}`);
}
