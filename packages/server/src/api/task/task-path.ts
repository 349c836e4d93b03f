import Type from "typebox";
import { teamParameter } from "../team-path.ts";

const nameParameter = Type.String({ description: "Name or ID of the task", examples: ["execute-shell"] });

export const taskPath = Type.Object({ name: nameParameter });
export const teamTaskPath = Type.Object({ team: teamParameter, name: nameParameter });

/** A task is read and written as the resource (JSON) or as its definition document (YAML). */
export const taskMediaTypes = ["application/json", "application/x-yaml"] as const;

export const taskVersionParameter = Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: "Default: the latest" }));

export const reasonParameter = Type.Optional(
  Type.String({
    maxLength: 1000,
    description: "The reason for the change log, since a document has no field for it. Takes precedence over the body",
  }),
);

export const replaceTaskParameter = Type.Boolean({
  default: false,
  description: "Replace the latest version instead of creating a new one; workflows that use it get the new content from their next run on",
});
