import Type from "typebox";

export const userPath = Type.Object({ userId: Type.String({ description: "Id or email address of the user" }) });
