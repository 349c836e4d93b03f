import Type from "typebox";
import { named, orNull, ref } from "./schema.ts";

/** What a client shows around the workflows: feature flags, context, navigation. */

export interface Features {
  features: Record<string, boolean>;
  quotas?: Record<string, string>;
}
export const features = named(
  "Features",
  Type.Object(
    {
      features: Type.Record(Type.String(), Type.Boolean(), {
        description: "By name: whether it is on",
      }),
      quotas: Type.Optional(Type.Record(Type.String(), Type.String(), { description: "Sizes of storage, for older clients" })),
    },
    {
      examples: [
        {
          features: { "team.quotas": true, "workflow.tokens": true, insights: false },
          quotas: { maxActivityStorageSize: "2Gi", maxWorkflowStorageSize: "2Gi" },
        },
      ],
    },
  ),
);

export interface HeaderOption {
  name?: string;
  url?: string;
  templateId?: string;
  imageId?: string;
}
export const headerOption = named(
  "HeaderOption",
  Type.Object({
    name: Type.Optional(Type.String()),
    url: Type.Optional(Type.String()),
    templateId: Type.Optional(Type.String()),
    imageId: Type.Optional(Type.String()),
  }),
);

export interface HeaderNavigation {
  name?: string;
  url?: string;
  isDropdown?: boolean;
  options?: HeaderOption[];
}
export const headerNavigation = named(
  "HeaderNavigation",
  Type.Object({
    name: Type.Optional(Type.String()),
    url: Type.Optional(Type.String()),
    isDropdown: Type.Optional(Type.Boolean()),
    options: Type.Optional(Type.Array(ref<HeaderOption>("HeaderOption"))),
  }),
);

export interface HeaderPlatform {
  name: string;
  version: string;
  appName: string;
  platformName: string;
  signOutUrl: string;
  communityUrl: string;
  displayLogo: boolean;
  logoURL: string;
  privateTeams: boolean;
  sendMail: boolean;
  baseServicesUrl: string;
  baseEnvUrl: string;
}
export const headerPlatform = named(
  "HeaderPlatform",
  Type.Object({
    name: Type.String({ description: "Platform name and application name, separated by a space" }),
    version: Type.String({ description: "Of the service" }),
    appName: Type.String(),
    platformName: Type.String(),
    signOutUrl: Type.String({ description: "Where the browser goes to sign out; empty when there is no such place" }),
    communityUrl: Type.String(),
    displayLogo: Type.Boolean(),
    logoURL: Type.String(),
    privateTeams: Type.Boolean(),
    sendMail: Type.Boolean(),
    baseServicesUrl: Type.String({ description: "Where this API is" }),
    baseEnvUrl: Type.String({ description: "Where this instance is" }),
  }),
);

export const headerFeatures = named(
  "HeaderFeatures",
  Type.Object({
    "notifications.enabled": Type.Boolean(),
    "support.enabled": Type.Boolean(),
    "docs.enabled": Type.Boolean(),
    "internal.enabled": Type.Boolean(),
    "consent.enabled": Type.Boolean(),
  }),
);

export interface HeaderPlatformMessage {
  kind?: string;
  title?: string;
  message?: string;
}
export const headerPlatformMessage = named(
  "HeaderPlatformMessage",
  Type.Object({
    kind: Type.Optional(Type.String()),
    title: Type.Optional(Type.String()),
    message: Type.Optional(Type.String()),
  }),
);

export interface HeaderNavigationResponse {
  platform: HeaderPlatform;
  features: Record<string, boolean>;
  navigation: HeaderNavigation[];
  featuredServices?: HeaderOption[] | null;
  platformMessage?: HeaderPlatformMessage | null;
}
const contextExample = {
  platform: {
    name: "Example Millrace",
    version: "0.1.0",
    appName: "Millrace",
    platformName: "Example",
    signOutUrl: "https://login.example.com/sign-out",
    communityUrl: "",
    displayLogo: true,
    logoURL: "",
    privateTeams: false,
    sendMail: false,
    baseServicesUrl: "https://millrace.example.com/api/v2",
    baseEnvUrl: "https://millrace.example.com",
  },
  features: {
    "notifications.enabled": false,
    "support.enabled": false,
    "docs.enabled": true,
    "internal.enabled": true,
    "consent.enabled": false,
  },
  navigation: [],
  featuredServices: null,
  platformMessage: null,
};
export const headerNavigationResponse = named(
  "HeaderNavigationResponse",
  Type.Object(
    {
      platform: ref<HeaderPlatform>("HeaderPlatform"),
      features: ref<Record<string, boolean>>("HeaderFeatures"),
      navigation: Type.Array(ref<HeaderNavigation>("HeaderNavigation")),
      featuredServices: orNull(Type.Array(ref<HeaderOption>("HeaderOption"))),
      platformMessage: Type.Optional(
        Type.Unsafe<HeaderPlatformMessage | null>({ anyOf: [Type.Ref("HeaderPlatformMessage"), { type: "null" }] }),
      ),
    },
    { examples: [contextExample] },
  ),
);

export interface Navigation {
  name?: string;
  type: "link" | "menu" | "divider";
  icon?: string;
  link?: string;
  disabled: boolean;
  beta: boolean;
  childLinks?: Navigation[];
}
export const navigation = named(
  "Navigation",
  Type.Object(
    {
      name: Type.Optional(Type.String()),
      type: Type.Enum(["link", "menu", "divider"]),
      icon: Type.Optional(Type.String()),
      link: Type.Optional(Type.String({ description: "Path in the user interface; a link of a team has none if no team is selected" })),
      disabled: Type.Boolean({ description: "It needs a team, and none was given" }),
      beta: Type.Boolean(),
      childLinks: Type.Optional(Type.Array(ref<Navigation>("Navigation"))),
    },
    { examples: [{ name: "Workflows", type: "link", icon: "FlowData", link: "/hawks/workflows", disabled: false, beta: false }] },
  ),
);
