/**
 * Where a run comes from: the ids of the workflows that led to it, the first one first, without its own. It is stored with the run
 * and is passed on to whatever the run starts: its child runs, the runs that its end starts, those of schedules that it makes, and, with
 * events and requests that leave the service, also what these start here or in another instance.
 *
 * So chains end that nobody watches: a workflow that is among those that led to it is not started once more, and a chain has at
 * most ten workflows. A limit of the length alone would not do. An unfiltered subscription sends five events of each run and more,
 * and ten steps of five are ten million runs. Anyone who takes the lineage off on the way gets around this; quotas bound that
 * (docs/security.md).
 */
export type Lineage = readonly string[];

/** Workflows in a row, the first cause included. */
export const maxLineage = 10;

/** Attribute of CloudEvents; the header has the same value. */
export const lineageAttribute = "millracelineage";
export const lineageHeader = "millrace-lineage";

/** More than can be of use: it says that the chain is too long, and keeps a header short. */
const maxWritten = 2 * maxLineage;

/** With one more workflow at its end, each named once: a workflow that schedules itself every day has a short lineage. */
export function lineageAfter(lineage: Lineage, workflowId: string): Lineage {
  return lineage.includes(workflowId) ? lineage : [...lineage, workflowId];
}

export function joinLineages(first: Lineage, second: Lineage): Lineage {
  return second.reduce(lineageAfter, first);
}

/** As it stands in the attribute and the header. */
export function writeLineage(lineage: Lineage): string {
  return lineage.slice(-maxWritten).join(",");
}

/** What was sent; whatever is no id in it says nothing. */
export function readLineage(value: unknown): Lineage {
  if (typeof value !== "string") return [];
  const ids = value.toLowerCase().match(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g) ?? [];
  return joinLineages([], ids.slice(0, maxWritten));
}

/** Of an event: the attribute. An event can also be the payload of a webhook, which a relay sends on without the header. */
export function lineageOfEvent(event: unknown): Lineage {
  if (typeof event !== "object" || event === null || !("specversion" in event)) return [];
  return readLineage((event as Record<string, unknown>)[lineageAttribute]);
}

/** Why a workflow is not started by what has this lineage; undefined: it may be. */
export function lineageFault(lineage: Lineage, workflowId: string): "loop" | "tooLong" | undefined {
  if (lineage.includes(workflowId)) return "loop";
  return lineage.length >= maxLineage ? "tooLong" : undefined;
}

/** For people. @param names of the workflows that are known here, by id */
export function lineageFaultText(fault: "loop" | "tooLong", name: string, lineage: Lineage, names: ReadonlyMap<string, string>): string {
  const way = lineage.map((id) => names.get(id) ?? id).join(" → ");
  return fault === "loop"
    ? `Workflow ${name} is one of the workflows that led here (${way}); starting it would create a loop`
    : `A chain of workflows that start each other has at most ${maxLineage} (${way})`;
}
