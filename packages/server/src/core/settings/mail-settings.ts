import type { SettingGroup } from "./definition.ts";

export const mailSettings: SettingGroup = {
  key: "mail",
  name: "E-mail",
  description: "The mail server through which this instance tells people what happened",
  settings: [
    {
      key: "host",
      type: "text",
      maxLength: 250,
      default: "",
      label: "Mail server",
      description: "Name or address of the SMTP server. Empty: no e-mails are sent.",
    },
    {
      key: "port",
      type: "number",
      minimum: 1,
      maximum: 65_535,
      default: "587",
      label: "Port",
      description: "Mostly 587 with `starttls`, 465 with `tls`, 25 within a network.",
    },
    {
      key: "security",
      type: "select",
      options: [
        { key: "starttls", value: "Encrypted after the greeting (STARTTLS)" },
        { key: "tls", value: "Encrypted from the beginning (TLS)" },
        { key: "none", value: "Not encrypted" },
      ],
      default: "starttls",
      label: "Encryption",
      description:
        "With `starttls` and `tls` the server's certificate must be good for its name, and nothing is sent to a server that does not encrypt. " +
        "`none` sends the e-mails in clear: for a server on the same machine, or one on the same network that wants no password. " +
        "A password is sent in clear to the same machine only.",
    },
    {
      key: "user",
      type: "text",
      maxLength: 250,
      default: "",
      label: "User",
      description: "Whom to sign in as at the mail server. Empty: without signing in.",
    },
    {
      key: "password",
      type: "secured",
      form: "text",
      sentTo: ["host", "port", "security"],
      offWhenEmpty: "host",
      default: "",
      label: "Password",
      description: "The password of that user. Whoever changes server, port or encryption enters it again.",
    },
    {
      key: "from",
      type: "text",
      maxLength: 320,
      default: "",
      label: "Sender address",
      description: "The address that e-mails come from; the name before it is that of the application. Empty: no e-mails are sent.",
    },
    {
      key: "domains",
      type: "text",
      maxLength: 2000,
      default: "",
      label: "Domains of recipients",
      description:
        "Domains to which teams may have e-mails sent, with commas between them, such as `example.com, example.org`. Empty: any. " +
        "Without it whoever may set up notifications of a team can have this instance write to anybody.",
    },
  ],
};
