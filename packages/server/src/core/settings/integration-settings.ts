import type { SettingDefinition, SettingGroup } from "./definition.ts";

const text = (key: string, label: string, description: string): SettingDefinition => ({
  key,
  type: "text",
  maxLength: 250,
  default: "",
  label,
  description,
});
const address = (key: string, label: string, description: string, takesSecrets = false): SettingDefinition => ({
  key,
  type: "url",
  takesSecrets,
  default: "",
  label,
  description,
});
const secret = (
  key: string,
  label: string,
  description: string,
  { sentTo = [], form = "text" }: { sentTo?: readonly string[]; form?: "text" | "pem" } = {},
): SettingDefinition => ({
  key,
  type: "secured",
  form,
  sentTo,
  default: "",
  label,
  description,
});

/**
 * Requests with this signature, and responses from this address, identify people: a user who sets these could act as anyone in the chat.
 */
const vouching = (setting: SettingDefinition): SettingDefinition => ({ ...setting, isVouching: true });

export const integrationSettings: SettingGroup = {
  key: "integration",
  name: "Integrations",
  description: "The chat and code hosting apps of this instance",
  settings: [
    text("chat.appId", "Chat: app ID", "ID of the chat app."),
    text("chat.clientId", "Chat: client ID", "Identifies the app when a workspace installs it."),
    secret("chat.clientSecret", "Chat: client secret", "Proves that the installation request of a workspace comes from Millrace.", {
      sentTo: ["chat.baseURL"],
    }),
    vouching(
      secret(
        "chat.signingSecret",
        "Chat: signing secret",
        "The chat platform signs its requests with it. Without it, its requests are rejected. Only administrators can change it.",
      ),
    ),
    secret("chat.token", "Chat: token", "Lets this instance post messages in its own workspace.", { sentTo: ["chat.baseURL"] }),
    address("chat.installURL", "Chat: installation URL", "Where people are sent to install the application."),
    vouching(
      address(
        "chat.baseURL",
        "Chat: API URL",
        "Where the API of the chat platform is. Empty: the public service. Only administrators change it; they enter the client secret and the token again, and " +
          "workspaces have to install the app again. An address outside the public internet has to be allowed by `MILLRACE_OUTBOUND_ALLOW`.",
        true,
      ),
    ),
    text("codehost.appId", "Code host: app ID", "ID of the app at the code host."),
    text("codehost.appName", "Code host: app name", "Name of the app, part of the URL for installing it."),
    secret(
      "codehost.pem",
      "Code host: private key",
      "The private key of the app, as PEM. Can also be one line, with spaces or \n instead of line breaks.",
      { form: "pem", sentTo: ["codehost.baseURL"] },
    ),
    secret(
      "codehost.webhookSecret",
      "Code host: webhook secret",
      "The code host signs its events with it. Without it, senders need a credential.",
    ),
    address(
      "codehost.baseURL",
      "Code host: API URL",
      "Where the API of the code-hosting platform is. Empty: the public service. Changing it requires the private key again. An address that is not of " +
        "the public internet has to be allowed by `MILLRACE_OUTBOUND_ALLOW`.",
      true,
    ),
    {
      key: "codehost.linking",
      type: "select",
      options: [
        { key: "new", value: "New installations" },
        { key: "administrators", value: "Administrators" },
        { key: "open", value: "Everyone" },
      ],
      default: "new",
      label: "Code host: who can link installations",
      description:
        "Who can link an installation that none of their teams is linked to yet. `new`: anyone who can write the team's integrations, within an hour after it was " +
        "created and while no team has linked it; after that an administrator. `administrators`: only users who can write integrations of the whole instance. `open`: " +
        "anyone who can write integrations of a team; use it only if all teams can read all repositories.",
    },
  ],
};
