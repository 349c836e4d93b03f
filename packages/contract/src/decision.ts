import Type, { type Static } from "typebox";
import { actionTypes } from "./action.ts";
import { page } from "./page.ts";
import { named, nullable, stringEnum } from "./schema.ts";

/** The records that decisions leave, and what a check of their chain says. */

const hash = Type.String({ description: "SHA-256 of the record as canonical JSON", pattern: "^[0-9a-f]{64}$" });
const number = Type.Integer({ minimum: 0, description: "Place in the chain of the team, from 1" });

export interface DecisionRecord extends Static<typeof decisionRecord> {}
export const decisionRecord = named(
  "DecisionRecord",
  Type.Object({
    number,
    hash,
    previous: Type.String({ description: "Hash of the record before; zeros for the first one" }),
    team: Type.String({ description: "ID of the team" }),
    action: Type.String({ description: "ID of the action" }),
    type: stringEnum(actionTypes),
    decision: stringEnum(["approved", "rejected"]),
    at: Type.String({ format: "date-time" }),
    workflow: Type.Object({ id: Type.String(), name: Type.String(), version: Type.Integer() }),
    run: nullable(Type.String({ description: "Null if it was not about a run" })),
    task: nullable(Type.String()),
    approverGroup: nullable(Type.Object({ id: Type.String(), name: nullable(Type.String()) })),
    approvalsRequired: Type.Integer({ minimum: 1 }),
    votes: Type.Array(
      Type.Object({
        principal: Type.String({ description: "`user:ID` or `token:ID`" }),
        name: nullable(Type.String()),
        approved: Type.Boolean(),
        at: Type.String({ format: "date-time" }),
        digest: Type.String({ description: "Of its comment and of what it filled in" }),
      }),
    ),
    inputs: Type.String({ description: "Digest of what was decided on; no secret is part of it" }),
    images: Type.Array(Type.String(), { description: "Images that the tasks name by their digest, at most 100" }),
  }),
);
export const decisionPage = page("PageDecisionRecord", decisionRecord);

export interface DecisionCheck extends Static<typeof decisionCheck> {}
export const decisionCheck = named(
  "DecisionCheck",
  Type.Object({
    valid: Type.Boolean(),
    checked: Type.Integer({ minimum: 0, description: "Records that were checked" }),
    head: Type.Object({ number, hash }, { description: "The last record: note it elsewhere, and give it to a later check" }),
    anchor: Type.Object(
      { number, hash, date: nullable(Type.String({ format: "date-time", description: "When; null: nothing was removed yet" })) },
      { description: "The last record that was removed with history" },
    ),
    problems: Type.Array(
      Type.Object({ number, action: nullable(Type.String({ description: "ID of the action" })), message: Type.String() }),
      { description: "At most 100" },
    ),
    truncated: Type.Boolean({ description: "There are more problems" }),
  }),
);
export const decisionHash = Type.String({
  pattern: "^[0-9a-fA-F]{64}$",
  description: "With `number`: the hash that this record must have",
});
