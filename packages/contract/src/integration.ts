import Type, { type Static } from "typebox";
import { named, stringEnum } from "./schema.ts";

/** Connections to outside platforms: which exist, and whether a team uses them. */

export const integrationStatuses = ["linked", "unlinked"] as const;

export interface Integration extends Static<typeof integration> {}
export const integration = named(
  "Integration",
  Type.Object(
    {
      id: Type.String({ examples: ["codehost_app", "chat"] }),
      name: Type.String(),
      link: Type.String({ description: "Where to connect it; empty while the instance has no settings for it" }),
      icon: Type.String(),
      status: stringEnum(integrationStatuses),
      description: Type.String(),
      instructions: Type.String({ description: "Markdown" }),
      ref: Type.Optional(Type.String({ description: "ID of the installation that the team is linked to" })),
      isConfigured: Type.Boolean({ description: "Whether the instance has the settings that it needs" }),
    },
    {
      examples: [
        {
          id: "codehost_app",
          name: "Code host",
          link: "https://codehost.example.com/apps/millrace-hawks/installations/select_target",
          icon: "codehost",
          status: "linked",
          description: "Starts workflows on events of your repositories.",
          instructions: "Install the app in your organization with the link, and select the repositories that it can access.",
          ref: "0198c1de-7d8a-7f3d-98cd-7d6e5f4a3ba9",
          isConfigured: true,
        },
      ],
    },
  ),
);

export interface CodehostLinkRequest extends Static<typeof codehostLinkRequest> {}
export const codehostLinkRequest = named(
  "CodehostLinkRequest",
  Type.Object(
    {
      ref: Type.String({
        minLength: 1,
        maxLength: 100,
        description: "The platform's installation number; to unlink, the ID of its record works too",
      }),
      team: Type.String({ minLength: 1, maxLength: 200, description: "Name or ID of the team" }),
    },
    { examples: [{ ref: "51842307", team: "hawks" }] },
  ),
);

export interface ChatLinkRequest extends Static<typeof chatLinkRequest> {}
export const chatLinkRequest = named(
  "ChatLinkRequest",
  Type.Object(
    {
      ref: Type.String({
        minLength: 1,
        maxLength: 100,
        pattern: "^[\\w-]+$",
        description: "The platform's workspace ID; to unlink, the ID of its record works too",
      }),
      team: Type.String({ minLength: 1, maxLength: 200, description: "Name or ID of the team" }),
    },
    { examples: [{ ref: "T0HAWKS", team: "hawks" }] },
  ),
);

export interface ChatWorkspace extends Static<typeof chatWorkspace> {}
export const chatWorkspace = named(
  "ChatWorkspace",
  Type.Object(
    {
      ref: Type.String({ description: "The platform's ID" }),
      name: Type.String({ description: "As reported by the platform; empty if it was not reported" }),
      scopes: Type.Array(Type.String(), { maxItems: 200, description: "Permissions granted to the app" }),
      teams: Type.Array(Type.String(), { maxItems: 100_000, description: "Names of the linked teams" }),
    },
    { examples: [{ ref: "T0HAWKS", name: "Hawks", scopes: ["commands", "chat:write"], teams: ["hawks"] }] },
  ),
);

export interface CodehostInstallation extends Static<typeof codehostInstallation> {}
export const codehostInstallation = named(
  "CodehostInstallation",
  Type.Object(
    {
      appId: Type.String(),
      installationId: Type.Integer(),
      orgSlug: Type.String({ description: "Name of the account that installed the app" }),
      orgUrl: Type.String(),
      orgId: Type.Integer(),
      orgType: Type.String({ examples: ["Organization", "User"] }),
      events: Type.Array(Type.String(), { description: "What the platform sends" }),
      repositories: Type.Array(Type.String(), {
        description: "Names of the repositories that it can access, as reported by the platform",
      }),
    },
    {
      examples: [
        {
          appId: "718204",
          installationId: 51_842_307,
          orgSlug: "hawks-and-friends",
          orgUrl: "https://codehost.example.com/hawks-and-friends",
          orgId: 90_317,
          orgType: "Organization",
          events: ["push", "pull_request"],
          repositories: ["hawks-and-friends/website"],
        },
      ],
    },
  ),
);
