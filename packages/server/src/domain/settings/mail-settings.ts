import type { Keyring } from "../../base/secret/keyring.ts";
import { isEmail } from "../../base/text/email.ts";
import { parseDomains } from "../../core/outbound/email-target.ts";
import { settingPlace } from "../../core/secret/sealed-places.ts";
import { type StoredSettings, settingPath, settingText } from "../../core/settings/instance-settings.ts";
import { clearMailRemedy, sendsPasswordInClear } from "../../core/settings/secret-destinations.ts";
import type { Queryable } from "../../store/database/database.ts";
import { readStoredSettings } from "../../store/settings/settings.ts";

/** The mail server from the settings; the password is in clear. */
export interface MailSettings {
  host: string;
  port: number;
  security: "none" | "starttls" | "tls";
  credentials?: { user: string; password: string };
  from: string;
  /** Empty: any. */
  domains: string[];
  appName: string;
}

const group = "mail";

/** Returns a sentence instead if emails can't be sent with these settings, with the remedy. */
export async function readMailSettings(db: Queryable, keyring: Keyring): Promise<MailSettings | { fault: string }> {
  const { values } = await readStoredSettings(db);
  const text = (key: string) => settingText(values, group, key);
  const host = text("host");
  const from = text("from");
  if (host === "") return { fault: "No mail server is configured: an administrator has to set mail/host and mail/from" };
  if (!isEmail(from)) return { fault: "The setting mail/from is not an email address: an administrator has to correct it" };
  if (sendsPasswordInClear({ host, security: text("security"), user: text("user") })) {
    return { fault: `The settings would send mail/password to ${host} unencrypted: an administrator has to ${clearMailRemedy}` };
  }
  const credentials = readCredentials(values, keyring, text("user"));
  if (credentials && "fault" in credentials) return credentials;
  return {
    host,
    from,
    port: Number(text("port")),
    security: text("security") as MailSettings["security"],
    ...(credentials && { credentials }),
    domains: parseDomains(text("domains")),
    appName: settingText(values, "customizations", "appName"),
  };
}

/** Domains to which emails may be sent; empty: to any. */
export async function readMailDomains(db: Queryable): Promise<string[]> {
  return parseDomains(settingText((await readStoredSettings(db)).values, group, "domains"));
}

function readCredentials(values: StoredSettings, keyring: Keyring, user: string): MailSettings["credentials"] | { fault: string } {
  if (user === "") return undefined;
  const sealed = values.get(settingPath(group, "password")) ?? "";
  if (sealed === "") return { fault: "The setting mail/user has no mail/password: an administrator has to set it, or empty mail/user" };
  try {
    return { user, password: keyring.openText(sealed, settingPlace(group, "password")) };
  } catch {
    return { fault: "The stored mail/password can't be decrypted: an administrator has to enter it again" };
  }
}
