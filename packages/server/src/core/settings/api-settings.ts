import type { SettingGroup } from "./definition.ts";

export const apiSettings: SettingGroup = {
  key: "api",
  name: "API",
  description: "How much one caller may ask for",
  settings: [
    {
      key: "rate.requestsPerSecond",
      type: "number",
      minimum: 1,
      maximum: 1_000_000,
      default: "10000",
      label: "Requests a second",
      description: "How many requests a second one credential may send in the long run, to each process.",
    },
    {
      key: "rate.burst",
      type: "number",
      minimum: 1,
      maximum: 1_000_000,
      default: "20000",
      label: "Burst",
      description: "How many requests one credential may send at once after a pause, to each process.",
    },
  ],
};
