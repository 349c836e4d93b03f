import Type, { type Static } from "typebox";
import { named, orNull } from "../schema.ts";

/** The users who have a workflow open in an editor. */

/** How long after its last request an editor counts as open. */
export const editingSeconds = 30;

export const editingSession = Type.String({
  pattern: "^[0-9A-Za-z_-]{8,64}$",
  description: "Chosen by the editor at random: another one for each window",
});

export interface WorkflowEditingRequest extends Static<typeof workflowEditingRequest> {}
export const workflowEditingRequest = named(
  "WorkflowEditingRequest",
  Type.Object(
    { session: editingSession, unsaved: orNull(Type.Boolean({ description: "It has changes that are not saved" })) },
    { examples: [{ session: "k3vYx0Qa", unsaved: true }] },
  ),
);

export interface WorkflowEditing extends Static<typeof workflowEditing> {}
export const workflowEditing = named(
  "WorkflowEditing",
  Type.Object(
    {
      editors: Type.Array(
        Type.Object({
          name: Type.String(),
          since: Type.String({ description: "ISO 8601 in UTC" }),
          unsaved: Type.Boolean(),
          you: Type.Boolean({ description: "Another window of yours" }),
        }),
        { description: "The others, those who have been there longest first" },
      ),
      seconds: Type.Integer({ description: "Repeat the request before this time is over" }),
    },
    { examples: [{ editors: [{ name: "Bob", since: "2026-11-28T09:00:00.000Z", unsaved: true, you: false }], seconds: 30 }] },
  ),
);
