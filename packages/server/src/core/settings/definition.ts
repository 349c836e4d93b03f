import type { KeyValuePair } from "@millrace/contract/common.ts";

/**
 * The settings of the instance: their names, defaults and valid values. Only values that differ from the default are stored.
 * docs/settings.md is generated from these tables.
 */

/** The kind of a value; each kind is text in the API and in the database. */
export type SettingKind =
  | { type: "text"; maxLength: number; isRequired?: true }
  /** http or https; may be empty. `takesSecrets`: credentials are sent there, so http is allowed only for this machine. */
  | { type: "url"; takesSecrets?: boolean }
  /** A whole number. */
  | { type: "number"; minimum: number; maximum: number }
  | { type: "boolean" }
  | { type: "select"; options: readonly KeyValuePair[] }
  /** A size of storage, `512Mi`. */
  | { type: "size" }
  /** A size of storage in whole Gi: `2Gi`. */
  | { type: "gibibytes"; maximum: number }
  /**
   * Stored sealed, never returned. `pem`: a private key. `sentTo`: the settings of its group that say where it, or what it signs, is sent;
   * empty: it never leaves the service. `offWhenEmpty`: the setting among these without which nothing is sent.
   */
  | { type: "secured"; form: "text" | "pem"; sentTo: readonly string[]; offWhenEmpty?: string };

export type SettingDefinition = SettingKind & {
  key: string;
  label: string;
  /** The effect of the setting, in full sentences. */
  description: string;
  default: string;
  /** It determines how people are identified, so only callers with all permissions can change it. */
  isVouching?: true;
};

export interface SettingGroup {
  key: string;
  name: string;
  description: string;
  settings: readonly SettingDefinition[];
}
