import type { ApplyKind, ApplyProblem } from "@millrace/contract/apply.ts";
import { AppError, type ErrorDetail } from "../../base/error/app-error.ts";
import { shorten } from "../../base/text/shorten.ts";

/** The position of a document in its set, and its name: part of every problem with it. */
export interface DocumentPlace {
  index: number;
  /** As far as it is known. */
  kind?: string | undefined;
  name?: string | undefined;
  /** Line and column of the value at this JSON pointer into the document; absent for JSON. */
  placeOf?: ((pointer: string) => { line: number; column: number }) | undefined;
  /** Documents of Tekton that came as JSON were read as YAML, whose line numbers mean nothing to the client. */
  hasLines: boolean;
}

const maxMessageLength = 1000;
/** How readers of YAML begin the messages of details. */
const placed = /^line (\d+), column (\d+): /;

/** What is wrong with the document, one problem for each place. */
export function problemsOf(place: DocumentPlace, error: AppError): ApplyProblem[] {
  const details = error.details?.length ? error.details : [{ path: "", message: error.message }];
  return details.slice(0, 100).map((detail) => problemOf(place, detail, error.reason));
}

export function problemOf(place: DocumentPlace, { path, message }: ErrorDetail, reason = "VALIDATION_FAILED"): ApplyProblem {
  const { index, kind, name, placeOf, hasLines } = place;
  const [start, line, column] = placed.exec(message) ?? [];
  const known = line === undefined ? placeOf?.(path) : { line: Number(line), column: Number(column) };
  return {
    index,
    ...(kind !== undefined && { kind: shorten(kind, 100) }),
    ...(name !== undefined && { name: shorten(name, 200) }),
    reason,
    path,
    ...(hasLines && known !== undefined && known.line > 0 && known),
    message: shorten(message.slice(start?.length ?? 0), maxMessageLength),
  };
}

/** The error for a set that can't be applied: one detail for each problem, whose path begins with the index of the document. */
export function refusalOf(problems: readonly ApplyProblem[]): AppError {
  const details = problems.slice(0, 100).map((problem) => ({
    path: `${problem.index === undefined ? "" : `/${problem.index}`}${problem.path}`,
    message: `${describe(problem)}${problem.message}`,
  }));
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more, see errors)` : "";
  const reason = problems.every((problem) => problem.reason === problems[0]?.reason) ? reasons[problems[0]?.reason ?? ""] : undefined;
  return new AppError(reason ?? "VALIDATION_FAILED", [`${details[0]?.message}${more}`], { details });
}

/** If all problems are of one kind, the set is refused with the error that its document alone would get. */
const reasons: Readonly<Record<string, "PERMISSION_DENIED" | "CONFLICT">> = {
  PERMISSION_DENIED: "PERMISSION_DENIED",
  WORKFLOW_TESTS_FAILED: "CONFLICT",
};

/** "document 3 (Workflow nightly), line 12, column 3: tasks.0 ". */
function describe({ index, kind, name, line, column, path, message }: ApplyProblem): string {
  const what = [kind, name].filter((part) => part !== undefined).join(" ");
  const document = index === undefined ? what : `document ${index + 1}${what === "" ? "" : ` (${what})`}`;
  const at = line === undefined ? "" : `, line ${line}, column ${column}`;
  const member = path === "" || /^[A-Z"$]/.test(message) ? "" : `${path.slice(1).replaceAll("/", ".")} `;
  return `${document}${at}: ${member}`;
}

/** For a problem that doesn't belong to a single document. */
export function problemOfSet(message: string, more: { kind?: ApplyKind; name?: string; reason?: string } = {}): ApplyProblem {
  return { reason: "VALIDATION_FAILED", path: "", ...more, message: shorten(message, maxMessageLength) };
}
