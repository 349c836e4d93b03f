import { type HeaderNavigationResponse, headerNavigationResponse } from "@millrace/contract/settings/system.ts";
import { productVersion } from "../../base/file/repository-root.ts";
import type { InstanceSettings } from "../../core/settings/instance-settings.ts";
import { defineEndpoint } from "../endpoint.ts";
import { platformNameOf, viewNotices } from "./platform.view.ts";

export const getContext = defineEndpoint({
  method: "GET",
  path: "/api/v2/context",
  summary: "Read the name, version and addresses of the instance",
  tag: "System",
  permission: "open",
  transaction: "none",
  response: headerNavigationResponse,
  handle: async ({ db, services }) => ({
    ...viewContext(await services.runs.settings.load(db), services.runs.publicUrl),
    platformMessage: viewNotices(services.notices?.() ?? []),
  }),
});

/** Features of the published interface that this service doesn't have are off. Navigation has an endpoint of its own. */
function viewContext({ look }: InstanceSettings, publicUrl: string): Omit<HeaderNavigationResponse, "platformMessage"> {
  const { appName, platformName, signOutUrl, communityUrl, isLogoShown, logoUrl } = look;
  return {
    platform: {
      name: platformNameOf(look),
      version: productVersion,
      appName,
      platformName,
      signOutUrl,
      communityUrl,
      displayLogo: isLogoShown,
      logoURL: logoUrl,
      privateTeams: false,
      sendMail: false,
      baseServicesUrl: `${publicUrl}/api/v2`,
      baseEnvUrl: publicUrl,
    },
    features: {
      "notifications.enabled": false,
      "support.enabled": communityUrl !== "",
      "docs.enabled": true,
      "internal.enabled": true,
      "consent.enabled": false,
    },
    navigation: [],
    featuredServices: null,
  };
}
