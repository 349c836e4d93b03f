import { AppError } from "../../base/error/app-error.ts";
import { isConfidential } from "../../base/network/ip-ranges.ts";
import type { Keyring } from "../../base/secret/keyring.ts";
import { settingPlace } from "../../core/secret/sealed-places.ts";
import { settingDefinition, settingPath } from "../../core/settings/instance-settings.ts";
import type { Queryable } from "../../store/database/database.ts";
import { readStoredSettings } from "../../store/settings/settings.ts";

/** The settings of the group `integration`. Unset ones are empty, except for the addresses of the platforms' APIs. */
export const integrationKeys = [
  "chat.appId",
  "chat.clientId",
  "chat.clientSecret",
  "chat.signingSecret",
  "chat.token",
  "chat.installURL",
  "chat.baseURL",
  "codehost.appId",
  "codehost.appName",
  "codehost.pem",
  "codehost.webhookSecret",
  "codehost.baseURL",
  "codehost.linking",
] as const;
export type IntegrationKey = (typeof integrationKeys)[number];

export interface IntegrationSettings {
  /** A secret in clear: never pass it on. Empty if it isn't set. @throws AppError INTEGRATION_NOT_CONFIGURED if it can't be decrypted */
  get(key: IntegrationKey): string;
  /** @throws AppError INTEGRATION_NOT_CONFIGURED also if it is empty */
  require(key: IntegrationKey): string;
}

const defaults: Partial<Record<IntegrationKey, string>> = {
  "chat.baseURL": "https://slack.com/api",
  "codehost.baseURL": "https://api.github.com",
  "codehost.linking": "new",
};

const group = "integration";

/** One read for all of them. Secrets are decrypted on access. Addresses have no trailing slash. */
export async function readIntegrationSettings(db: Queryable, keyring: Keyring): Promise<IntegrationSettings> {
  const { values } = await readStoredSettings(db);
  const get = (key: IntegrationKey): string => {
    const value = (values.get(settingPath(group, key)) ?? "").trim();
    if (value === "") return defaults[key] ?? "";
    if (settingDefinition(group, key).type === "secured") return openSetting(keyring, key, value);
    return key.endsWith("baseURL") ? confidentialAddress(key, value) : value;
  };
  const require = (key: IntegrationKey): string => {
    const value = get(key);
    if (value === "") throw new AppError("INTEGRATION_NOT_CONFIGURED", [integrationOf(key), `the setting ${key} is empty`]);
    return value;
  };
  return { get, require };
}

/** The app in whose name the code host is called: its credentials in clear, which must never be passed on. */
export interface CodehostAppSettings {
  apiUrl: string;
  appId: string;
  pem: string;
}

/** Undefined if neither id nor key is set. @throws AppError INTEGRATION_NOT_CONFIGURED if only one of them is */
export function codehostAppOf(settings: IntegrationSettings): CodehostAppSettings | undefined {
  if (settings.get("codehost.appId") === "" && settings.get("codehost.pem") === "") return undefined;
  return requireCodehostApp(settings);
}

/** @throws AppError INTEGRATION_NOT_CONFIGURED */
export function requireCodehostApp(settings: IntegrationSettings): CodehostAppSettings {
  return { apiUrl: settings.get("codehost.baseURL"), appId: settings.require("codehost.appId"), pem: settings.require("codehost.pem") };
}

/** An address that an older version accepted is not used if it is invalid now, since credentials are sent there. */
function confidentialAddress(key: IntegrationKey, value: string): string {
  if (URL.canParse(value) && isConfidential(new URL(value))) return value.replace(/\/+$/, "");
  throw new AppError("INTEGRATION_NOT_CONFIGURED", [
    integrationOf(key),
    `${key} must start with https://, since credentials are sent there`,
  ]);
}

function openSetting(keyring: Keyring, key: IntegrationKey, sealed: string): string {
  try {
    return keyring.openText(sealed, settingPlace(group, key));
  } catch (cause) {
    throw new AppError("INTEGRATION_NOT_CONFIGURED", [integrationOf(key), `the stored ${key} can't be decrypted; set it again`], { cause });
  }
}

function integrationOf(key: IntegrationKey): string {
  return key.slice(0, key.indexOf("."));
}
