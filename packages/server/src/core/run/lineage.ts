// Where a run comes from: who or what started it, and the workflows that led to it.
import type { InitiatorType } from "@millrace/contract/status.ts";
import Type from "typebox";

/**
 * Where a run comes from: the ids of the workflows that led to it, the first one first, without its own. It is stored with the run
 * and is passed on to whatever the run starts: its child runs, the runs that its end starts, those of schedules that it makes, and, with
 * events and requests that leave the service, also what these start here or in another instance.
 *
 * This ends chains that nobody watches: a workflow that is already in the lineage is not started again, and a chain has at most ten
 * workflows. Limiting the length alone would not be enough. An unfiltered subscription sends at least five events per run, and ten levels
 * with a factor of five are ten million runs. A client that removes the lineage on the way gets around this; quotas limit that case
 * (docs/security.md).
 */
export type Lineage = readonly string[];

/** The most workflows in a row, including the first one. */
export const maxLineage = 10;

/** Attribute of CloudEvents; the header has the same value. */
export const lineageAttribute = "millracelineage";
export const lineageHeader = "millrace-lineage";

/** More than needed: enough to show that the chain is too long, and few enough to keep the header short. */
const maxWritten = 2 * maxLineage;

/**
 * The lineage with one more workflow at its end. Each workflow is in it once, so a workflow that schedules itself every day keeps a short
 * lineage.
 */
export function lineageAfter(lineage: Lineage, workflowId: string): Lineage {
  return lineage.includes(workflowId) ? lineage : [...lineage, workflowId];
}

export function joinLineages(first: Lineage, second: Lineage): Lineage {
  return second.reduce(lineageAfter, first);
}

/** The form of the attribute and the header. */
export function writeLineage(lineage: Lineage): string {
  return lineage.slice(-maxWritten).join(",");
}

/** Reads a received lineage; anything in it that is not an id is ignored. */
export function readLineage(value: unknown): Lineage {
  if (typeof value !== "string") return [];
  const ids = value.toLowerCase().match(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g) ?? [];
  return joinLineages([], ids.slice(0, maxWritten));
}

/** The lineage of an event: its attribute. An event can also be the payload of a webhook, which a relay forwards without the header. */
export function lineageOfEvent(event: unknown): Lineage {
  if (typeof event !== "object" || event === null || !("specversion" in event)) return [];
  return readLineage((event as Record<string, unknown>)[lineageAttribute]);
}

/** Why a cause with this lineage may not start the workflow; undefined: it may. */
export function lineageFault(lineage: Lineage, workflowId: string): "loop" | "tooLong" | undefined {
  if (lineage.includes(workflowId)) return "loop";
  return lineage.length >= maxLineage ? "tooLong" : undefined;
}

/** For people. @param names names of the workflows that are known here, by id */
export function lineageFaultText(fault: "loop" | "tooLong", name: string, lineage: Lineage, names: ReadonlyMap<string, string>): string {
  const way = lineage.map((id) => names.get(id) ?? id).join(" → ");
  return fault === "loop"
    ? `Workflow ${name} is one of the workflows that led here (${way}); starting it would create a loop`
    : `A chain of workflows that start each other has at most ${maxLineage} (${way})`;
}

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

/** The header of requests that may start runs: the workflows that led to the request. */
export const lineageHeaders = Type.Object({
  "Millrace-Lineage": Type.Optional(
    Type.String({
      description:
        "IDs of the workflows that led to the request, oldest first, separated by commas: the variable MILLRACE_LINEAGE of a step. A workflow in this list is not started, and a chain has at most 10 workflows",
    }),
  ),
});

export function lineageOf({ headers }: { headers: Readonly<Record<string, string | undefined>> }): Lineage {
  return readLineage(headers[lineageHeader]);
}
