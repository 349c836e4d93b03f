import Type from "typebox";
import { teamParameter } from "../team-path.ts";

/** The parameters of all paths below a schedule. */
export const schedulePath = Type.Object({
  team: teamParameter,
  scheduleId: Type.String({ description: "ID of the schedule", examples: ["01980f3e-7d2b-7c3a-9f35-0c9b8f6c1f5e"] }),
});
