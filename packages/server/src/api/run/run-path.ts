import Type from "typebox";
import { teamParameter } from "../team-path.ts";

/** The parameters of all paths below a run. */
export const runPath = Type.Object({ team: teamParameter, runId: Type.String({ description: "ID of the run" }) });
