import { abstractParam } from "@millrace/contract/common.ts";
import { abstractParamRequest } from "@millrace/contract/parameter.ts";
import { ref } from "@millrace/contract/schema.ts";
import { readParameter } from "../../core/parameter/read-parameter.ts";
import { createGlobalParameter } from "../../domain/parameter/write-global-parameter.ts";
import { defineEndpoint } from "../endpoint.ts";
import { olderNames } from "./older-names.ts";
import { viewParameter } from "./parameter.view.ts";

export const createParameter = defineEndpoint({
  method: "POST",
  path: "/api/v2/parameters",
  summary: "Create a global parameter",
  description: `The name is unique. A parameter of type \`password\` is a secret: encrypted, never returned, masked in logs. ${olderNames}`,
  tag: "Global parameters",
  permission: "parameter/write",
  transaction: "write",
  body: abstractParamRequest,
  documentedBody: { schema: ref(abstractParam) },
  response: ref(abstractParam),
  async handle({ db, body, keyring, audit }) {
    const view = viewParameter(await createGlobalParameter(db, keyring, readParameter(body)));
    audit({ kind: "parameter", name: view.name, after: view });
    return view;
  },
});
