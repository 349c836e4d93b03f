import Type, { type Static } from "typebox";
import { named, ref, stringEnum } from "../schema.ts";
import { statuses, waitKinds } from "../status.ts";

/** The search over runs. */

const indexed = {
  indexedUntil: Type.Optional(
    Type.String({ description: "The index is behind: later changes of runs are not found yet. Absent while it is up to date" }),
  ),
  indexedFrom: Type.Optional(
    Type.String({ description: "Runs created before are being indexed, after an upgrade, and are not found yet. Absent once all are" }),
  ),
};

export interface RunSearchState extends Static<typeof runSearchState> {}
export const runSearchState = named(
  "RunSearchState",
  Type.Object({
    ...indexed,
    totalIsMinimum: Type.Optional(Type.Boolean({ description: "More runs match than totalElements says" })),
  }),
);

export interface RunSearchHit extends Static<typeof runSearchHit> {}
export const runSearchHit = named(
  "RunSearchHit",
  Type.Object({
    id: Type.String(),
    status: stringEnum(statuses),
    waitKinds: Type.Optional(Type.Array(stringEnum(waitKinds), { description: "As of a run" })),
    creationDate: Type.String(),
    workflowName: Type.String(),
    workflowDisplayName: Type.String(),
    teamName: Type.String(),
    teamDisplayName: Type.String(),
  }),
);

export interface RunSearchHits extends Static<typeof runSearchHits> {}
const example = {
  id: "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e",
  status: "failed",
  creationDate: "2026-05-04T06:00:00.000Z",
  workflowName: "nightly-report",
  workflowDisplayName: "Nightly report",
  teamName: "hawks",
  teamDisplayName: "Hawks",
};
export const runSearchHits = named(
  "RunSearchHits",
  Type.Object(
    { hits: Type.Array(ref(runSearchHit), { description: "The newest first" }), ...indexed },
    { examples: [{ hits: [example] }] },
  ),
);
