import { exitCodes, Failure } from "../failure.ts";
import { formatYaml } from "../output/print.ts";
import type { Kind, Scope } from "./kind.ts";

/** The version of Millrace's own documents; tasks use Tekton's. */
const ownApiVersion = "millrace.dev/v1";

/** A YAML document for `apply`. Secrets are hidden; when it is applied to the same object, they don't change. @throws {Failure} */
export async function toDocument(kind: Kind, scope: Scope, row: object): Promise<string> {
  const { documentKind, ownMembers = [], name } = kind;
  if (documentKind === undefined)
    throw new Failure(exitCodes.notUnderstood, `A ${name} can't be exported`, "Use millrace get -o yaml to read it");
  const document = (await kind.toDocument?.(scope, row)) ?? row;
  if (typeof document === "string") return document;
  const members = Object.entries(document).filter(([key, value]) => !ownMembers.includes(key) && value !== null && value !== undefined);
  return formatYaml({ apiVersion: ownApiVersion, kind: documentKind, ...Object.fromEntries(members) });
}
