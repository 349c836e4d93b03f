import type { SettingGroup } from "./definition.ts";

export const customizationSettings: SettingGroup = {
  key: "customizations",
  name: "Customizations",
  description: "How the instance presents itself (`GET /api/v2/context`)",
  settings: [
    {
      key: "appName",
      type: "text",
      maxLength: 100,
      isRequired: true,
      default: "Millrace",
      label: "Application name",
      description: "Second part of the instance's name.",
    },
    {
      key: "platformName",
      type: "text",
      maxLength: 100,
      default: "",
      label: "Platform name",
      description: "First part of the instance's name, for example the name of an organization.",
    },
    { key: "displayLogo", type: "boolean", default: "true", label: "Show a logo", description: "Whether clients show a logo." },
    { key: "logoURL", type: "url", default: "", label: "Logo", description: "URL of the logo. Leave empty for the client's own logo." },
    {
      key: "signOutUrl",
      type: "url",
      default: "",
      label: "Sign-out URL",
      description: "Where a browser goes to sign out, behind a proxy that signs people in. Empty: the client ends its session itself.",
    },
    {
      key: "communityUrl",
      type: "url",
      default: "",
      label: "Support address",
      description: "Where people find help. Empty: clients offer none.",
    },
  ],
};
