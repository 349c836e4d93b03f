import type { SettingGroup } from "./definition.ts";

export const apiSettings: SettingGroup = {
  key: "api",
  name: "API",
  description: "Limits for each client",
  settings: [
    {
      key: "rate.requestsPerSecond",
      type: "number",
      minimum: 1,
      maximum: 1_000_000,
      default: "10000",
      label: "Requests per second",
      description: "Sustained number of requests per second for each credential, per process.",
    },
    {
      key: "rate.burst",
      type: "number",
      minimum: 1,
      maximum: 1_000_000,
      default: "20000",
      label: "Burst",
      description: "Number of requests that a credential can send at once after a pause, per process.",
    },
  ],
};
