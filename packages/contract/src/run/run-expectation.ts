import Type, { type Static } from "typebox";
import { named, stringEnum } from "../schema.ts";

/** How long a run should take, and whether it is late, by the rules of alerts (docs/alerts.md). Durations are milliseconds. */

/** The limits that a run can exceed. */
export const lateLimits = ["deadline", "expected", "usual"] as const;

const milliseconds = (description: string) => Type.Optional(Type.Integer({ format: "int64", description }));

export interface RunExpectation extends Static<typeof runExpectation> {}
export const runExpectation = named(
  "RunExpectation",
  Type.Object(
    {
      usualDuration: milliseconds(
        "From start to end: the median of the successful runs among the newest hundred of its workflow; needs five",
      ),
      expectedDuration: milliseconds("From start to end: what its workflow, or its submission, sets"),
      deadline: milliseconds("From submission to end: what its workflow, or its submission, sets"),
      late: Type.Optional(
        Type.Object(
          { limit: stringEnum(lateLimits, { description: "What it is late against" }), dueDate: Type.String() },
          { description: "Of an open run that is late" },
        ),
      ),
    },
    { examples: [{ usualDuration: 240_000, deadline: 600_000, late: { limit: "deadline", dueDate: "2026-03-01T12:10:00.000Z" } }] },
  ),
);
