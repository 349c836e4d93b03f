import Type from "typebox";
import type { KeyValuePair } from "./common.ts";
import { named, orNull, ref } from "./schema.ts";

/** How a form shows a setting. The value of a `secured` one is never read back. */
export const settingTypes = ["text", "url", "number", "boolean", "select", "secured"] as const;
export type SettingType = (typeof settingTypes)[number];

/** One setting of a group. In a write only `key` and `value` count. */
export interface SettingConfig {
  key: string;
  label?: string | null;
  description?: string | null;
  type?: string | null;
  value?: string | null;
  defaultValue?: string | null;
  options?: KeyValuePair[] | null;
  required?: boolean | null;
  minValueLength?: number | null;
  maxValueLength?: number | null;
  placeholder?: string | null;
  helperText?: string | null;
  language?: string | null;
  disabled?: boolean | null;
  readOnly?: boolean | null;
  hiddenValue?: boolean | null;
  sentTo?: string[] | null;
}
export const settingConfig = named(
  "SettingConfig",
  Type.Object({
    key: Type.String({ minLength: 1, maxLength: 100 }),
    label: orNull(Type.String()),
    description: orNull(Type.String()),
    type: orNull(Type.String({ examples: [...settingTypes] })),
    value: orNull(
      Type.String({
        maxLength: 65_536,
        description:
          'Always text: "true", "25", "2Gi". Absent or null in a write: stays as it is; so does an empty secret. A secret reads as empty',
      }),
    ),
    defaultValue: orNull(Type.String({ description: "What holds while nothing else is set" })),
    options: orNull(Type.Array(ref<KeyValuePair>("KeyValuePair"), { maxItems: 1000 })),
    required: orNull(Type.Boolean({ description: "It can't be empty" })),
    minValueLength: orNull(Type.Integer()),
    maxValueLength: orNull(Type.Integer()),
    placeholder: orNull(Type.String()),
    helperText: orNull(Type.String({ description: "What values are allowed" })),
    language: orNull(Type.String()),
    disabled: orNull(Type.Boolean()),
    readOnly: orNull(Type.Boolean()),
    hiddenValue: orNull(Type.Boolean({ description: "It is a secret: the value is never shown" })),
    sentTo: orNull(
      Type.Array(Type.String(), {
        maxItems: 20,
        description:
          "Of a secret: keys of the settings that say where it is sent. A write that changes one of them has to give the secret again",
      }),
    ),
  }),
);

/** A group of settings. In a write it is found by `id`, or by `key`. */
export interface Setting {
  id?: string | null;
  key?: string | null;
  name?: string | null;
  description?: string | null;
  tool?: string | null;
  type?: string | null;
  lastModified?: string | null;
  /** The published spelling. */
  lastModiifed?: string | null;
  config?: SettingConfig[] | null;
}
export const setting = named(
  "Setting",
  Type.Object(
    {
      id: orNull(Type.String({ maxLength: 100, description: "The same as `key`" })),
      key: orNull(Type.String({ maxLength: 100, examples: ["teams"] })),
      name: orNull(Type.String()),
      description: orNull(Type.String()),
      tool: orNull(Type.String()),
      type: orNull(Type.String({ examples: ["ValuesList"] })),
      lastModified: orNull(Type.String({ description: "ISO 8601 in UTC; null while nothing was changed" })),
      lastModiifed: orNull(Type.String({ description: "The same, in the published spelling" })),
      config: orNull(Type.Array(ref<SettingConfig>("SettingConfig"), { maxItems: 1000 })),
    },
    { examples: [{ key: "teams", config: [{ key: "max.workflowrun.concurrent", value: "8" }] }] },
  ),
);
