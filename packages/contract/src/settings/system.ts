import Type, { type Static, type TObject } from "typebox";
import { named, orNull, ref, refToItself } from "../schema.ts";

/** What a client shows besides the workflows: feature flags, context, navigation. */

export interface Features extends Static<typeof features> {}
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

export interface HeaderOption extends Static<typeof headerOption> {}
export const headerOption = named(
  "HeaderOption",
  Type.Object({
    name: Type.Optional(Type.String()),
    url: Type.Optional(Type.String()),
    templateId: Type.Optional(Type.String()),
    imageId: Type.Optional(Type.String()),
  }),
);

export interface HeaderNavigation extends Static<typeof headerNavigation> {}
export const headerNavigation = named(
  "HeaderNavigation",
  Type.Object({
    name: Type.Optional(Type.String()),
    url: Type.Optional(Type.String()),
    isDropdown: Type.Optional(Type.Boolean()),
    options: Type.Optional(Type.Array(ref(headerOption))),
  }),
);

export interface HeaderPlatform extends Static<typeof headerPlatform> {}
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

export interface HeaderPlatformMessage extends Static<typeof headerPlatformMessage> {}
export const headerPlatformMessage = named(
  "HeaderPlatformMessage",
  Type.Object({
    kind: Type.Optional(Type.String()),
    title: Type.Optional(Type.String()),
    message: Type.Optional(Type.String()),
  }),
);

export interface HeaderNavigationResponse extends Static<typeof headerNavigationResponse> {}
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
      platform: ref(headerPlatform),
      features: ref(headerFeatures),
      navigation: Type.Array(ref(headerNavigation)),
      featuredServices: orNull(Type.Array(ref(headerOption))),
      platformMessage: orNull(ref(headerPlatformMessage)),
    },
    { examples: [contextExample] },
  ),
);

const navigationMembers = {
  name: Type.Optional(Type.String()),
  type: Type.Enum(["link", "menu", "divider"]),
  icon: Type.Optional(Type.String()),
  link: Type.Optional(Type.String({ description: "Path in the user interface; a link of a team has none if no team is selected" })),
  disabled: Type.Boolean({ description: "It needs a team, and none was given" }),
  beta: Type.Boolean(),
};

/** The nested links are declared again here: a type can't be derived from a schema that refers to itself. */
export interface Navigation extends Static<TObject<typeof navigationMembers>> {
  childLinks?: Navigation[];
}
export const navigation = named(
  "Navigation",
  Type.Object(
    { ...navigationMembers, childLinks: Type.Optional(Type.Array(refToItself<Navigation>("Navigation"))) },
    { examples: [{ name: "Workflows", type: "link", icon: "FlowData", link: "/hawks/workflows", disabled: false, beta: false }] },
  ),
);
