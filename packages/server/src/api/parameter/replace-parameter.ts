import { abstractParam } from "@millrace/contract/common.ts";
import { abstractParamRequest } from "@millrace/contract/parameter.ts";
import { ref } from "@millrace/contract/schema.ts";
import { readParameter } from "../../core/parameter/read-parameter.ts";
import { replaceGlobalParameter } from "../../domain/parameter/write-global-parameter.ts";
import { defineEndpoint } from "../endpoint.ts";
import { olderNames } from "./older-names.ts";
import { viewParameter } from "./parameter.view.ts";

export const replaceParameter = defineEndpoint({
  method: "PUT",
  path: "/api/v2/parameters",
  summary: "Replace a global parameter",
  description: `Found by name. The body replaces all members, except that an empty secret and absent \`teams\` don't change (null: all teams). To give a secret to more teams, send the secret in the same request. ${olderNames}`,
  tag: "Global parameters",
  permission: "parameter/write",
  transaction: "write",
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
