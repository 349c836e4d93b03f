import Type from "typebox";

/** The parameter of all paths below a team. */
export const teamParameter = Type.String({ description: "Name or ID of the team", examples: ["getting-started"] });

export const teamPath = Type.Object({ team: teamParameter });
