import Type from "typebox";

/** Of a deletion that cancels what is under way. */
export const forceParameter = Type.Boolean({
  default: true,
  description: "false: a 409 while there are runs that are not over; they are cancelled otherwise",
});
