import { ref } from "@millrace/contract/schema.ts";
import { setting, settingInput } from "@millrace/contract/setting.ts";
import Type from "typebox";
import { channels } from "../../domain/run/wake-for-changes.ts";
import { changeSettings as change } from "../../domain/settings/change-settings.ts";
import { mayDoEverything } from "../../policy/users.ts";
import { defineEndpoint } from "../endpoint.ts";
import { auditedChanges, viewSettings } from "./setting.view.ts";

export const changeSettings = defineEndpoint({
  method: "PUT",
  path: "/api/v2/settings",
  summary: "Change settings of the instance",
  description:
    "Groups are found by `id` (or `key`), their settings by `key`; only `value` is taken, as text or as the number or boolean that it stands for. What is left out stays, and so do secrets that are empty. " +
    "Either everything is changed or nothing. What decides who people of the chat are taken for, the signing secret and the API address, is for administrators. Answers all groups. Every process goes by the new values within two seconds.",
  tag: "System",
  permission: "system/write",
  transaction: "write",
  body: Type.Array(ref(settingInput), {
    maxItems: 100,
    examples: [[{ id: "teams", config: [{ key: "max.workflowrun.concurrent", value: 8 }] }]],
  }),
  response: Type.Array(ref(setting)),
  async handle({ db, body, principal, keyring, services, audit, afterCommit }) {
    const done = await change(db, keyring, body, { mayVouch: mayDoEverything(principal) });
    for (const { group, before, after } of auditedChanges(done?.changes ?? []))
      audit({ kind: "setting", id: group, name: group, before, after });
    afterCommit(() => {
      if (done === undefined) return;
      services.runs.settings.forget(done.revision);
      // A quota that was raised lets queued runs go.
      services.bus.wake(channels.engine);
    });
    return viewSettings(db);
  },
});
