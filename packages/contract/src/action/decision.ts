import Type, { type Static } from "typebox";
import { page } from "../page.ts";
import { named, nullable, stringEnum } from "../schema.ts";
import { actionTypes } from "./action.ts";

/** The records of decisions, and the result of verifying their chain. */

const hash = Type.String({ description: "SHA-256 of the record as canonical JSON", pattern: "^[0-9a-f]{64}$" });
const number = Type.Integer({ minimum: 0, description: "Place in the chain of the team, from 1" });

const at = "2026-03-01T12:00:00.000Z";
const digest = "5b2f0d3c1e9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a0b9c8d7e6f5a4b3c";
const example = {
  ...{ number: 1, hash: digest, previous: "0".repeat(64), type: "approval", decision: "approved", at, approvalsRequired: 1 },
  ...{ team: "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e", action: "0198c1de-7d78-7c09-b58a-2b1c0d9e8f76" },
  workflow: { id: "0198c1de-7d6b-7d44-b2c3-1f0a8e5d4c32", name: "welcome", version: 2 },
  ...{ run: "0198c1de-7d71-7e12-8a68-7c5b4d3e2f54", task: "ask", approverGroup: null, inputs: digest, images: [] },
  votes: [{ principal: "user:0198c1de-7d60-7a51-9f22-0c4e6e1f7a10", name: "Ada", approved: true, at, digest }],
};

export interface DecisionRecord extends Static<typeof decisionRecord> {}
export const decisionRecord = named(
  "DecisionRecord",
  Type.Object(
    {
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
      escalatedTo: Type.Optional(
        nullable(
          Type.Object(
            { id: Type.String(), name: nullable(Type.String()) },
            { description: "The group that could decide it too, since nobody had in time; null: none" },
          ),
        ),
      ),
      approvalsRequired: Type.Integer({ minimum: 1 }),
      secrets: Type.Optional(
        Type.Array(Type.String(), { description: "Protected secrets that the version uses, and that the group decided about" }),
      ),
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
    },
    { examples: [example] },
  ),
);
export const decisionPage = page("PageDecisionRecord", decisionRecord);

export interface DecisionCheck extends Static<typeof decisionCheck> {}
export const decisionCheck = named(
  "DecisionCheck",
  Type.Object(
    {
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
    },
    {
      examples: [
        {
          valid: true,
          checked: 1,
          head: { number: 1, hash: digest },
          anchor: { number: 0, hash: "0".repeat(64), date: null },
          problems: [],
          truncated: false,
        },
      ],
    },
  ),
);
export const decisionHash = Type.String({
  pattern: "^[0-9a-fA-F]{64}$",
  description: "With `number`: the hash that this record must have",
});
