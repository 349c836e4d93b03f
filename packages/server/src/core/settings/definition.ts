import type { KeyValuePair } from "@millrace/contract/common.ts";

/**
 * The settings of the instance: what there is, what holds as long as nobody changes it, and which values are good. Only values that
 * differ from the default are stored. docs/settings.md is made from these tables.
 */

/** What a value may be; each kind is text on the wire and in the database. */
export type SettingKind =
  | { type: "text"; maxLength: number; isRequired?: true }
  /** http or https; may be empty. `takesSecrets`: credentials are sent there, so http is for this machine only. */
  | { type: "url"; takesSecrets?: boolean }
  /** A whole number. */
  | { type: "number"; minimum: number; maximum: number }
  | { type: "boolean" }
  | { type: "select"; options: readonly KeyValuePair[] }
  /** Of a storage, `512Mi`. */
  | { type: "size" }
  /** Of a storage, whole Gi: `2Gi`. */
  | { type: "gibibytes"; maximum: number }
  /**
   * Stored sealed, never read back. `pem`: a private key. `sentTo`: the settings of its group that say where it is sent, or where
   * what it signs is sent; empty: it never leaves. `offWhenEmpty`: one of these, without which nothing is sent.
   */
  | { type: "secured"; form: "text" | "pem"; sentTo: readonly string[]; offWhenEmpty?: string };

export type SettingDefinition = SettingKind & {
  key: string;
  label: string;
  /** What it changes, in sentences. */
  description: string;
  default: string;
  /** It decides who people are taken for, so that only who may do everything changes it. */
  isVouching?: true;
};

export interface SettingGroup {
  key: string;
  name: string;
  description: string;
  settings: readonly SettingDefinition[];
}
