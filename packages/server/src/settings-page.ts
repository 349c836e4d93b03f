import { settingGroups } from "./core/settings/catalogue.ts";
import type { SettingDefinition, SettingGroup } from "./core/settings/definition.ts";

/** docs/settings.md, made from the settings of the instance. */
export function renderSettingsPage(): string {
  return `${head}\n${settingGroups.map(renderGroup).join("\n")}`;
}

function renderGroup({ key, name, description, settings }: SettingGroup): string {
  const rows = settings.map(
    (setting) => `| \`${setting.key}\` | ${renderDefault(setting)} | ${renderValues(setting)} | ${setting.description} |`,
  );
  return `## \`${key}\`: ${name}\n\n${description}.\n\n| Key | Default | Values | What it does |\n|---|---|---|---|\n${rows.join("\n")}\n`;
}

function renderDefault({ default: value }: SettingDefinition): string {
  return value === "" ? "empty" : `\`${value}\``;
}

function renderValues(setting: SettingDefinition): string {
  switch (setting.type) {
    case "text":
      return `text, up to ${setting.maxLength} characters${setting.isRequired ? ", not empty" : ""}`;
    case "url":
      return "empty, or an address (https or http)";
    case "number":
      return `${setting.minimum} to ${setting.maximum}`;
    case "boolean":
      return "`true`, `false`";
    case "select":
      return setting.options.map(({ key }) => `\`${key}\``).join(", ");
    case "size":
      return "a size: `512Mi`, `2Gi`";
    case "gibibytes":
      return `whole gibibytes, \`0Gi\` to \`${setting.maximum}Gi\``;
    case "secured":
      return setting.form === "pem" ? "a secret: a private key as PEM" : "a secret";
  }
}

const head = `<!-- Made by \`npm run generate\` from packages/server/src/core/settings. -->

# Settings of the instance

What administrators change while the service runs. What must be known before it starts (addresses, the database, keys) is in
[configuration.md](configuration.md). With the settings of [getting started](getting-started.md):

<!-- walk after getting-started.md -->

<!-- walk: max.workflowrun.concurrent=8 -->
\`\`\`sh
api $MILLRACE/api/v2/settings | field '.map(({ key, name }) => \`\${key}: \${name}\`).join("\\n")'
api -X PUT $MILLRACE/api/v2/settings -d '[{ "id": "teams", "config": [{ "key": "max.workflowrun.concurrent", "value": "8" }] }]' |
  field '.find(({ key }) => key === "teams").config.map(({ key, value }) => \`\${key}=\${value}\`).join("\\n")'
\`\`\`

- Reading takes the permission \`system/read\`, writing \`system/write\`, both for the whole instance.
- A group is found by its \`id\`, which is also its \`key\`; a setting by its \`key\`. Only \`value\` counts, and it is always text. What is not sent, or
  sent without a value, stays as it is, so what was read can be written back. To go back to the default, write the default.
- Everything is changed or nothing. An unknown group or key, or a value that is none, is a 400 that names each place in \`errors\`.
- The process that took the change goes by it at once, all others within two seconds. A run keeps what it was submitted with.
- Secrets are stored encrypted. They read as empty text with \`hiddenValue: true\`; \`placeholder\` tells whether one is set. Left empty in a write, a
  secret stays. It can be replaced, not removed.
- A secret goes only where it was meant for. A write that changes where it is sent (host, port or encryption of the mail server, the address of a platform's API)
  has to give the secret again, else it is a 400 that names the setting. \`sentTo\` of a secret lists these settings. Without TLS a secret is sent to this machine only.
- Each change leaves an audit record for each group, with the values before and after; of secrets only that they were set.
- \`GET /api/v2/features\` and \`GET /api/v2/context\` show clients what concerns them, without a credential. Features may be kept for five minutes.
`;
