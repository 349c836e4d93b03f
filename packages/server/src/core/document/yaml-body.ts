import { AppError, type ErrorDetail } from "../../base/error/app-error.ts";
import { describeProblem, readYamlDocuments, YamlError } from "./yaml-tree.ts";
import { readYamlValue, type YamlValue } from "./yaml-values.ts";

/** The body of a request, read from one YAML document. */
export interface YamlBody {
  value: unknown;
  /** The same details with line and column in front of each message. */
  placed(details: readonly ErrorDetail[]): ErrorDetail[];
}

/**
 * @param schema of the value: where it says string, a plain scalar is taken literally as text
 * @throws VALIDATION_FAILED with a detail for each fault, whose message begins with `line 12, column 3: `
 */
export function readYamlBody(text: string, schema: unknown): YamlBody {
  try {
    const [document, second] = readYamlDocuments(text);
    if (document === undefined) throw new YamlError([{ line: 1, column: 1, message: "the text is empty" }]);
    if (second !== undefined) {
      const message = "a second document begins here; send one document per request";
      throw new YamlError([{ ...document.place(second.root?.range?.[0] ?? 0), message }]);
    }
    const { value, placeOf } = readYamlValue(document, schema, true);
    const placed = (details: readonly ErrorDetail[]) => details.map((detail) => placeDetail(placeOf, detail));
    const faults = refuseNames(value, "");
    if (faults.length > 0) throw invalidYaml(placed(faults));
    return { value, placed };
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw invalidYaml(error.problems.map((problem) => ({ path: "", message: describeProblem(problem) })));
  }
}

export function invalidYaml(details: readonly ErrorDetail[]): AppError {
  const more = details.length > 1 ? ` (and ${details.length - 1} more, see errors)` : "";
  return new AppError("VALIDATION_FAILED", [`${details[0]?.message ?? "it is empty"}${more}`], { details: details.slice(0, 100) });
}

/** A message that is a full sentence gets no name in front. */
export function placeDetail(placeOf: YamlValue["placeOf"], { path, message }: ErrorDetail): ErrorDetail {
  const name = path === "" || /^[A-Z"$]/.test(message) ? "" : `${path.slice(1).replaceAll("/", ".")} `;
  return { path, message: describeProblem({ ...placeOf(path), message: name + message }) };
}

/** The same check as for JSON (http/input/read-body.ts). The YAML reader has already limited the depth. */
export function refuseNames(value: unknown, path: string): ErrorDetail[] {
  if (typeof value !== "object" || value === null) return [];
  if (Object.hasOwn(value, "__proto__")) return [{ path, message: "has a member named __proto__, which is not allowed as a name" }];
  return Object.entries(value).flatMap(([name, member]) => refuseNames(member, `${path}/${name}`));
}
