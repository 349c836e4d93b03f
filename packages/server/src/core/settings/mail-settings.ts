import type { SettingGroup } from "./definition.ts";

export const mailSettings: SettingGroup = {
  key: "mail",
  name: "Email",
  description: "The mail server that sends notifications",
  settings: [
    {
      key: "host",
      type: "text",
      maxLength: 250,
      default: "",
      label: "Mail server",
      description: "Name or address of the SMTP server. If empty, no email is sent.",
    },
    {
      key: "port",
      type: "number",
      minimum: 1,
      maximum: 65_535,
      default: "587",
      label: "Port",
      description: "Usually 587 with `starttls`, 465 with `tls`, or 25 within a network.",
    },
    {
      key: "security",
      type: "select",
      options: [
        { key: "starttls", value: "Encrypted after the greeting (STARTTLS)" },
        { key: "tls", value: "Encrypted from the start (TLS)" },
        { key: "none", value: "Not encrypted" },
      ],
      default: "starttls",
      label: "Encryption",
      description:
        "With `starttls` and `tls` the server's certificate must be valid for its name, and nothing is sent unencrypted. " +
        "`none` sends email unencrypted: for a server on the same machine, or in the same network without a password. " +
        "A password is sent unencrypted only to the same machine.",
    },
    {
      key: "user",
      type: "text",
      maxLength: 250,
      default: "",
      label: "User",
      description: "User name at the mail server. If empty, no authentication is used.",
    },
    {
      key: "password",
      type: "secured",
      form: "text",
      sentTo: ["host", "port", "security"],
      offWhenEmpty: "host",
      default: "",
      label: "Password",
      description: "Password of that user. Enter it again when you change the server, port or encryption.",
    },
    {
      key: "from",
      type: "text",
      maxLength: 320,
      default: "",
      label: "Sender address",
      description: "Sender address of all email. The sender name is the name of the application. If empty, no email is sent.",
    },
    {
      key: "domains",
      type: "text",
      maxLength: 2000,
      default: "",
      label: "Domains of recipients",
      description:
        "Domains to which teams can send email, separated by commas, such as `example.com, example.org`. If empty, all domains. " +
        "If it is empty, anyone who can create subscriptions of a team can send email from this instance to any address.",
    },
  ],
};
