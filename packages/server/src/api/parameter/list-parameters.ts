import { abstractParam } from "@millrace/contract/common.ts";
import { ref } from "@millrace/contract/schema.ts";
import Type from "typebox";
import { listGlobalParameters } from "../../store/team/global-parameters.ts";
import { defineEndpoint } from "../endpoint.ts";
import { viewParameters } from "./parameter.view.ts";

export const listParameters = defineEndpoint({
  method: "GET",
  path: "/api/v2/parameters",
  summary: "List the global parameters",
  description: "Every run can refer to them, as `$(global.params.NAME)`. Secrets read as empty text.",
  tag: "Global parameters",
  permission: "parameter/read",
  transaction: "none",
  response: Type.Array(ref(abstractParam)),
  handle: async ({ db }) => viewParameters(await listGlobalParameters(db)),
});
