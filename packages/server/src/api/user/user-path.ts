import Type from "typebox";

export const userPath = Type.Object({ userId: Type.String({ description: "Id or e-mail address of the user" }) });
