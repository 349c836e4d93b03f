import Type from "typebox";

/** Of a deletion that cancels what is under way. */
export const forceParameter = Type.Boolean({
  default: true,
  description: "false: responds with 409 while there are open runs; otherwise they are cancelled",
});
