import { type Setup, type SetupStepName, setup, setupSteps } from "@millrace/contract/settings/setup.ts";
import { readMailSettings } from "../../domain/settings/mail-settings.ts";
import { hasSecondPerson } from "../../store/identity/users.ts";
import { dismissSetup as dismiss, hasOwnWorkflow, isSetupOpen } from "../../store/settings/setup.ts";
import { listExecutorsAtWork } from "../../store/worker/workers.ts";
import { defineEndpoint } from "../endpoint.ts";
import { signInRules } from "../identity/sign-in/begin-session.ts";

/** The team that a new instance brings along. */
const sampleTeam = "getting-started";

export const getSetup = defineEndpoint({
  method: "GET",
  path: "/api/v2/setup",
  summary: "Read the checklist of a new instance",
  tag: "System",
  permission: "system/delete",
  transaction: "read",
  response: setup,
  async handle({ db, services, keyring }): Promise<Setup> {
    const { identityProvider, isProxyOn } = signInRules(services);
    const done: Record<SetupStepName, boolean> = {
      workflow: await hasOwnWorkflow(db, sampleTeam),
      executors: (await listExecutorsAtWork(db)).length > 0,
      mail: !("fault" in (await readMailSettings(db, keyring))),
      signIn: identityProvider !== undefined || isProxyOn,
      invite: await hasSecondPerson(db),
    };
    return { open: await isSetupOpen(db), steps: setupSteps.map((name) => ({ name, done: done[name] })) };
  },
});

export const dismissSetup = defineEndpoint({
  method: "DELETE",
  path: "/api/v2/setup",
  summary: "Dismiss the checklist of a new instance",
  description: "For all administrators. It doesn't come back.",
  tag: "System",
  permission: "system/delete",
  transaction: "write",
  response: null,
  async handle({ db, audit }) {
    await dismiss(db);
    audit({ kind: "instance", after: { checklist: "dismissed" } });
  },
});
