import Type from "typebox";
import { teamParameter } from "../team-path.ts";

/** The parameters of all paths below a workflow. */
export const workflowPath = Type.Object({
  team: teamParameter,
  workflow: Type.String({ description: "Name or ID of the workflow", examples: ["hello-chain"] }),
});

/** Some ten thousand tasks fit. */
export const workflowBodyLimit = 8 * 1024 * 1024;

/** The latest version is replaced instead of followed by a new one. */
export const replaceParameter = Type.Boolean({ default: false, description: "Replace the latest version instead of creating a new one" });

export const versionParameter = Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: "Default: the latest" }));
