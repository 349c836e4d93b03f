import Type from "typebox";

export const userPath = Type.Object({ userId: Type.String({ description: "ID or email address of the user" }) });
