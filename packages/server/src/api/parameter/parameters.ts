import { type AbstractParam, abstractParam } from "@millrace/contract/common.ts";
import { abstractParamRequest } from "@millrace/contract/parameter.ts";
import { ref } from "@millrace/contract/schema.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { readParameter } from "../../core/parameter/parameters-check.ts";
import { maskParams } from "../../core/parameter/secret-params.ts";
import {
  createGlobalParameter,
  deleteUnprotectedParameter,
  replaceGlobalParameter,
} from "../../domain/parameter/write-global-parameter.ts";
import { listGlobalParameters } from "../../store/team/global-parameters.ts";
import { defineEndpoint } from "../endpoint.ts";

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

/** For the descriptions of the endpoints that take a parameter. */
const olderNames = "Member names of older clients work too: `key` for `name`, `defaultValue`, `values` for a list, `helperText`.";

export const createParameter = defineEndpoint({
  method: "POST",
  path: "/api/v2/parameters",
  summary: "Create a global parameter",
  description: `The name is unique. A parameter of type \`password\` is a secret: encrypted, never returned, masked in logs. ${olderNames}`,
  tag: "Global parameters",
  permission: "parameter/write",
  transaction: "write",
  documentKinds: ["Parameter"],
  body: abstractParamRequest,
  documentedBody: { schema: ref(abstractParam) },
  response: ref(abstractParam),
  async handle({ db, body, keyring, audit }) {
    const view = viewParameter(await createGlobalParameter(db, keyring, readParameter(body)));
    audit({ kind: "parameter", name: view.name, after: view });
    return view;
  },
});

export const replaceParameter = defineEndpoint({
  method: "PUT",
  path: "/api/v2/parameters",
  summary: "Replace a global parameter",
  description: `Found by name. The body replaces all members, except that an empty secret and absent \`teams\` don't change (null: all teams). To give a secret to more teams, send the secret in the same request. ${olderNames}`,
  tag: "Global parameters",
  permission: "parameter/write",
  transaction: "write",
  documentKinds: ["Parameter"],
  body: abstractParamRequest,
  documentedBody: { schema: ref(abstractParam) },
  response: ref(abstractParam),
  async handle({ db, body, keyring, audit }) {
    const { before, after } = await replaceGlobalParameter(db, keyring, readParameter(body), body.teams);
    const view = viewParameter(after);
    audit({ kind: "parameter", name: view.name, before: viewParameter(before), after: view });
    return view;
  },
});

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
    const before = await deleteUnprotectedParameter(db, params.name);
    if (before === undefined) throw new AppError("PARAMS_INVALID_REFERENCE", [params.name]);
    audit({ kind: "parameter", name: params.name, before: viewParameter(before) });
  },
});

/** Parameters as they are read: secrets are empty. */
function viewParameters(parameters: readonly AbstractParam[]): AbstractParam[] {
  return maskParams(parameters).map((parameter) => ({ ...parameter, readOnly: parameter.readOnly ?? false }));
}

function viewParameter(parameter: AbstractParam): AbstractParam {
  return viewParameters([parameter])[0]!;
}
