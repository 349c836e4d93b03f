import Type from "typebox";
import { stringEnum } from "./schema.ts";
import { initiatorTypes } from "./status.ts";

/** Who or what started a run, in an answer. All are absent in runs of which it was not recorded. */
export const initiatorMembers = {
  initiatedByRef: Type.Optional(
    Type.String({
      description:
        "ID of the user, token or schedule; of the run whose task or end started it; or one of the instance's own: webhook, codehost or chat",
    }),
  ),
  initiatedByType: Type.Optional(stringEnum(initiatorTypes, { description: "workflow: a task or the end of another run" })),
  initiatedByName: Type.Optional(
    Type.String({ description: "Its current name: of a workflow if another run started it; absent if it was deleted" }),
  ),
};
