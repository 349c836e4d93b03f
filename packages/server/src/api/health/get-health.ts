import Type from "typebox";
import { defineEndpoint } from "../endpoint.ts";

export const getHealth = defineEndpoint({
  method: "GET",
  path: "/health",
  summary: "Say that the process is alive",
  tag: "Operation",
  permission: "open",
  transaction: "none",
  response: Type.Object({ status: Type.String({ examples: ["up"] }) }),
  handle: async () => ({ status: "up" }),
});
