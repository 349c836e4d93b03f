import { ref } from "@millrace/contract/schema.ts";
import { setting } from "@millrace/contract/setting.ts";
import Type from "typebox";
import { defineEndpoint } from "../endpoint.ts";
import { viewSettings } from "./setting.view.ts";

export const listSettings = defineEndpoint({
  method: "GET",
  path: "/api/v2/settings",
  summary: "List the settings of the instance",
  description: "All groups with all settings, changed or not; docs/settings.md describes each. Secrets read as empty text.",
  tag: "System",
  permission: "system/read",
  transaction: "read",
  response: Type.Array(ref(setting)),
  handle: ({ db }) => viewSettings(db),
});
