import Type from "typebox";
import { type Lineage, lineageHeader, readLineage } from "../core/run/lineage.ts";

/** Of every request that may start runs: it says from which workflows it comes. */
export const lineageHeaders = Type.Object({
  "Millrace-Lineage": Type.Optional(
    Type.String({
      description:
        "Ids of the workflows that led to the request, the first one first, separated by commas: the variable MILLRACE_LINEAGE of a step. A workflow among them is not started, and a chain has at most ten",
    }),
  ),
});

export function lineageOf({ headers }: { headers: Readonly<Record<string, string | undefined>> }): Lineage {
  return readLineage(headers[lineageHeader]);
}
