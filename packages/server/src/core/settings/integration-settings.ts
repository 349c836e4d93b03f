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

export const integrationSettings: SettingGroup = {
  key: "integration",
  name: "Integrations",
  description: "The applications that stand for this instance at the chat and the code-hosting platform",
  settings: [
    text("chat.appId", "Chat: application id", "Id of the chat application."),
    text("chat.clientId", "Chat: client id", "Identifies the application when a workspace installs it."),
    secret("chat.clientSecret", "Chat: client secret", "Proves that the installation of a workspace comes from here.", {
      sentTo: ["chat.baseURL"],
    }),
    secret("chat.signingSecret", "Chat: signing secret", "What the chat platform signs its requests with; without it they are refused."),
    secret("chat.token", "Chat: token", "Lets this instance post messages in its own workspace.", { sentTo: ["chat.baseURL"] }),
    address("chat.installURL", "Chat: installation address", "Where people are sent to install the application."),
    address(
      "chat.baseURL",
      "Chat: API address",
      "Where the API of the chat platform is. Empty: the public service. Whoever changes it enters the client secret and the token again, and workspaces " +
        "install the application again. An address that is not of the open internet has to be allowed by `MILLRACE_OUTBOUND_ALLOW`.",
      true,
    ),
    text("codehost.appId", "Codehost: application id", "Id of the application at the code-hosting platform."),
    text("codehost.appName", "Codehost: application name", "Name of the application, a part of the address where people install it."),
    secret(
      "codehost.pem",
      "Codehost: private key",
      "The key that the application signs in with, as PEM; also on one line, with spaces or \\n in place of the line breaks.",
      { form: "pem", sentTo: ["codehost.baseURL"] },
    ),
    secret(
      "codehost.webhookSecret",
      "Codehost: webhook secret",
      "What the code-hosting platform signs its events with; without it a sender needs a credential.",
    ),
    address(
      "codehost.baseURL",
      "Codehost: API address",
      "Where the API of the code-hosting platform is. Empty: the public service. Whoever changes it enters the private key again. An address that is not of " +
        "the open internet has to be allowed by `MILLRACE_OUTBOUND_ALLOW`.",
      true,
    ),
    {
      key: "codehost.linking",
      type: "select",
      options: [
        { key: "new", value: "New installations" },
        { key: "administrators", value: "Administrators" },
        { key: "open", value: "Everybody" },
      ],
      default: "new",
      label: "Codehost: who links installations",
      description:
        "Who may link an installation that none of their teams is linked to yet. `new`: who may write the team's integrations, in the hour after it was " +
        "made and as long as no team has it; later an administrator. `administrators`: only who may write integrations in the whole instance. `open`: " +
        "who may write any team's integrations; only where all teams may see all repositories.",
    },
  ],
};
