import Type, { type Static } from "typebox";
import { page } from "../page.ts";
import { named } from "../schema.ts";

/** Comments on a run, and the acknowledgement of its failure. */

const creatorMembers = {
  createdByRef: Type.String({ description: "ID of the user or token" }),
  createdByName: Type.String({ description: "The name at that time" }),
};

export interface RunComment extends Static<typeof runComment> {}
export const runComment = named(
  "RunComment",
  Type.Object({ id: Type.String(), text: Type.String(), creationDate: Type.String(), ...creatorMembers }),
);
export const runCommentPage = page("PageRunComment", runComment);

export interface RunCommentRequest extends Static<typeof runCommentRequest> {}
export const runCommentRequest = named(
  "RunCommentRequest",
  Type.Object({ text: Type.String({ minLength: 1, maxLength: 4000 }) }, { examples: [{ text: "The supplier's API was down" }] }),
);

export interface RunAcknowledgement extends Static<typeof runAcknowledgement> {}
export const runAcknowledgement = named(
  "RunAcknowledgement",
  Type.Object({
    byRef: Type.String({ description: "ID of the user or token" }),
    byName: Type.String({ description: "The name at that time" }),
    date: Type.String(),
    text: Type.Optional(Type.String()),
  }),
);

export interface RunAcknowledgementRequest extends Static<typeof runAcknowledgementRequest> {}
export const runAcknowledgementRequest = named(
  "RunAcknowledgementRequest",
  Type.Object({ text: Type.Optional(Type.String({ maxLength: 400 })) }, { examples: [{ text: "Looking at it" }] }),
);
