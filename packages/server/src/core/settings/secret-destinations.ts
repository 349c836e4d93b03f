import type { ErrorDetail } from "../../base/error/app-error.ts";
import { isConfidential, isLoopbackHost } from "../../base/network/ip-ranges.ts";
import type { SettingDefinition } from "./definition.ts";
import { type StoredSettings, settingGroups, settingPath, settingText } from "./instance-settings.ts";

/** A new value for a setting. */
export interface WantedSetting {
  /** The place of the value in the request. */
  path: string;
  group: string;
  definition: SettingDefinition;
  value: string;
}

/**
 * A stored secret must be sent only to its intended destination. A caller who may write settings can't read secrets, but could have one
 * sent to their own server if it were kept when the address changes. So a change of the destination needs the secret in the same request.
 * No credential crosses a network unencrypted.
 */
export function destinationFaults(wanted: readonly WantedSetting[], values: StoredSettings): ErrorDetail[] {
  return [...movedSecrets(wanted, values), ...clearAddresses(wanted), ...clearMail(wanted, values)];
}

function movedSecrets(wanted: readonly WantedSetting[], values: StoredSettings): ErrorDetail[] {
  return settingGroups.flatMap(({ key: group, settings }) =>
    settings.flatMap((definition) => {
      if (definition.type !== "secured" || !values.get(settingPath(group, definition.key))) return [];
      const own = wanted.filter((one) => one.group === group);
      if (own.some(({ definition: { key } }) => key === definition.key) || isSwitchedOff(definition.offWhenEmpty, own)) return [];
      const moved = own.find(
        ({ definition: { key }, value }) =>
          definition.sentTo.includes(key) && (values.get(settingPath(group, key)) ?? defaultOf(group, key)) !== value,
      );
      return moved ? [{ path: moved.path, message: askAgain(group, moved.definition.key, definition.key) }] : [];
    }),
  );
}

function askAgain(group: string, destination: string, secret: string): string {
  return `of ${group}/${destination} would send the stored ${group}/${secret} to another address; send ${group}/${secret} again in the same request`;
}

function defaultOf(group: string, key: string): string {
  return settingText(new Map(), group, key);
}

function isSwitchedOff(key: string | undefined, wanted: readonly WantedSetting[]): boolean {
  return key !== undefined && wanted.some(({ definition, value }) => definition.key === key && value === "");
}

function clearAddresses(wanted: readonly WantedSetting[]): ErrorDetail[] {
  return wanted.flatMap(({ path, group, definition, value }) => {
    if (definition.type !== "url" || !definition.takesSecrets || value === "" || isConfidential(new URL(value))) return [];
    return [
      {
        path,
        message: `of ${group}/${definition.key} must start with https://, since credentials are sent there; http:// works only for this machine`,
      },
    ];
  });
}

function clearMail(wanted: readonly WantedSetting[], values: StoredSettings): ErrorDetail[] {
  const own = wanted.filter(({ group, definition }) => group === "mail" && ["host", "security", "user"].includes(definition.key));
  const [first] = own;
  if (first === undefined) return [];
  const text = (key: string) => own.find(({ definition }) => definition.key === key)?.value ?? settingText(values, "mail", key);
  const mail = { host: text("host"), security: text("security"), user: text("user") };
  return sendsPasswordInClear(mail)
    ? [{ path: first.path, message: `would send mail/password to ${mail.host} unencrypted; ${clearMailRemedy}` }]
    : [];
}

export const clearMailRemedy = "set mail/security to starttls or tls, or clear mail/user if the mail server needs no password";

export function sendsPasswordInClear({ host, security, user }: { host: string; security: string; user: string }): boolean {
  return security === "none" && user !== "" && host !== "" && !isLoopbackHost(host);
}
