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
    "Groups are found by `id` (or `key`), settings by `key`. Only `value` is read, as text, number or boolean. Settings that are left out and empty secrets don't change. " +
    "Either all changes are made or none. Only administrators can change the chat's signing secret and API address, since these decide who a chat user is. Returns all groups. All processes use the new values within 2 seconds.",
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
