import type { Schemas } from "@millrace/client/client.ts";
import { plainLine, plainText } from "../output/plain-text.ts";
import { paint } from "../output/terminal.ts";
import type { DocumentSet } from "./read-documents.ts";

type Applied = Schemas["AppliedDocument"];
type Problem = Schemas["ApplyProblem"];

const colors = { created: "green", updated: "yellow", deleted: "red", unchanged: "dim", proposed: "cyan" } as const;

/** A line for each document, plus anything to know about it, e.g. a secret that is shown only once. */
export function describeApplied(documents: readonly Applied[]): string {
  return documents.map((document) => `${describeOne(document)}\n`).join("");
}

function describeOne({ action, kind, name, workflow, version, secret, actionRef }: Applied): string {
  const of = workflow === undefined ? "" : ` of ${workflow}`;
  const now = version === undefined ? "" : plainLine(` (version ${version})`);
  const waits =
    action === "proposed" ? `\n           waits for an approval${actionRef === undefined ? "" : plainLine(`: action ${actionRef}`)}` : "";
  const shownOnce = secret === undefined ? "" : `\n           secret, which is shown only now: ${plainLine(secret)}`;
  return `${paint(colors[action], plainLine(action).padEnd(9))}  ${plainLine(`${kind} ${name}${of}`)}${now}${waits}${shownOnce}`;
}

/** The changes that would be made, as unified diffs. Empty if nothing would change. */
export function describeChanges(documents: readonly Applied[]): string {
  return documents
    .filter(({ action }) => action !== "unchanged")
    .map((document) => `${paint("bold", describeOne(document))}\n${diffOf(document)}`)
    .join("\n");
}

function diffOf({ diff = "", isDiffCut, changesSecrets }: Applied): string {
  const lines = plainText(diff.trimEnd()).split("\n").map(paintLine);
  const more = [...(isDiffCut ? ["… the diff is longer"] : []), ...(changesSecrets ? ["A secret changes, which is not shown."] : [])];
  return [...(diff === "" ? [] : lines), ...more].map((line) => `${line}\n`).join("");
}

function paintLine(line: string): string {
  if (/^(---|\+\+\+) /.test(line)) return paint("bold", line);
  if (line.startsWith("@@")) return paint("cyan", line);
  if (line.startsWith("+")) return paint("green", line);
  return line.startsWith("-") ? paint("red", line) : line;
}

/** A line for each problem, e.g. `nightly.yaml:12: Workflow nightly: tasks.0.timeout …`. */
export function describeProblems(problems: readonly Problem[], { placeOf }: DocumentSet): string {
  return problems
    .map(({ line, index, kind, name, path, message }) => {
      const place = (line === undefined ? undefined : placeOf(line)) ?? (index === undefined ? "" : `document ${index + 1}`);
      const what = [kind, name].filter((part) => part !== undefined).join(" ");
      const member = path === "" ? "" : `${path.slice(1).replaceAll("/", ".")}: `;
      return `  ${plainLine([place, what].filter((part) => part !== "").join(": "))}: ${plainLine(`${member}${message}`)}\n`;
    })
    .join("");
}
