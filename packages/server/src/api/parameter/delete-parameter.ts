import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { deleteGlobalParameter } from "../../store/team/global-parameters.ts";
import { defineEndpoint } from "../endpoint.ts";
import { viewParameter } from "./parameter.view.ts";

export const deleteParameter = defineEndpoint({
  method: "DELETE",
  path: "/api/v2/parameters/:name",
  summary: "Delete a global parameter",
  description: "Runs that were already submitted keep its value.",
  tag: "Global parameters",
  permission: "parameter/delete",
  transaction: "write",
  params: Type.Object({ name: Type.String({ description: "Name of the parameter" }) }),
  response: null,
  async handle({ db, params, audit }) {
    const before = await deleteGlobalParameter(db, params.name);
    if (before === undefined) throw new AppError("PARAMS_INVALID_REFERENCE", [params.name]);
    audit({ kind: "parameter", name: params.name, before: viewParameter(before) });
  },
});
