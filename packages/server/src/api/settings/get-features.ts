import { type Features, features } from "@millrace/contract/settings/system.ts";
import { featureFlags } from "../../core/settings/feature-flags.ts";
import { defineEndpoint, reply } from "../endpoint.ts";

export const getFeatures = defineEndpoint({
  method: "GET",
  path: "/api/v2/features",
  summary: "Read which features are enabled",
  description: "Can be cached for 5 minutes.",
  tag: "System",
  permission: "open",
  transaction: "none",
  response: features,
  async handle({ db, services }) {
    const settings = await services.runs.settings.load(db);
    const { maxWorkflowStorage, maxWorkflowRunStorage } = settings.quotas;
    const body: Features = {
      features: featureFlags(settings),
      quotas: { maxActivityStorageSize: `${maxWorkflowRunStorage}Gi`, maxWorkflowStorageSize: `${maxWorkflowStorage}Gi` },
    };
    return reply({ headers: { "cache-control": "max-age=300" }, body });
  },
});
