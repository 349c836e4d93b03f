import Type from "typebox";
import { type Lineage, lineageHeader, readLineage } from "../core/run/lineage.ts";

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
