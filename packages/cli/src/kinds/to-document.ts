import { exitCodes, Failure } from "../failure.ts";
import { formatYaml } from "../output/print.ts";
import type { Kind, Scope } from "./kind.ts";

/** Of the documents that are Millrace's own; a task is one of Tekton. */
const ownApiVersion = "millrace.dev/v1";

/** As `apply` takes it, in YAML. Secrets are hidden in it: applied where they are, they don't change. @throws {Failure} */
export async function toDocument(kind: Kind, scope: Scope, row: object): Promise<string> {
  const { documentKind, ownMembers = [], name } = kind;
  if (documentKind === undefined)
    throw new Failure(exitCodes.notUnderstood, `A ${name} can't be exported`, "Use millrace get -o yaml to read it");
  const document = (await kind.toDocument?.(scope, row)) ?? row;
  if (typeof document === "string") return document;
  const members = Object.entries(document).filter(([key, value]) => !ownMembers.includes(key) && value !== null && value !== undefined);
  return formatYaml({ apiVersion: ownApiVersion, kind: documentKind, ...Object.fromEntries(members) });
}
