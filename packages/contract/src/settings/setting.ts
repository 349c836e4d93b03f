import Type, { type Static, type TSchema } from "typebox";
import { keyValuePair } from "../common.ts";
import { named, orNull, ref } from "../schema.ts";

/** How a form shows a setting. The value of a `secured` one is never returned. */
export const settingTypes = ["text", "url", "number", "boolean", "select", "secured"] as const;
export type SettingType = (typeof settingTypes)[number];

/** One setting of a group, in a response. */
export interface SettingConfig extends Static<typeof settingConfig> {}
export const settingConfig = named(
  "SettingConfig",
  Type.Object({
    key: Type.String({ minLength: 1, maxLength: 100 }),
    label: orNull(Type.String()),
    description: orNull(Type.String()),
    type: orNull(Type.String({ examples: [...settingTypes] })),
    value: orNull(Type.String({ description: 'Always text: "true", "25", "2Gi". A secret reads as empty' })),
    defaultValue: orNull(Type.String({ description: "The value if nothing else is set" })),
    options: orNull(Type.Array(ref(keyValuePair), { maxItems: 1000 })),
    required: orNull(Type.Boolean({ description: "It can't be empty. Never set on a boolean" })),
    minValueLength: orNull(Type.Integer()),
    maxValueLength: orNull(Type.Integer()),
    placeholder: orNull(Type.String()),
    helperText: orNull(Type.String({ description: "Allowed values" })),
    language: orNull(Type.String()),
    disabled: orNull(Type.Boolean()),
    readOnly: orNull(Type.Boolean()),
    hiddenValue: orNull(Type.Boolean({ description: "It is a secret: the value is never shown" })),
    sentTo: orNull(
      Type.Array(Type.String(), {
        maxItems: 20,
        description:
          "For a secret: keys of the settings that determine where it is sent. A request that changes one of them has to send the secret again",
      }),
    ),
  }),
);

/** A group of settings, in a response. */
export interface Setting extends Static<typeof setting> {}
export const setting = named(
  "Setting",
  Type.Object(groupMembers(Type.Array(ref(settingConfig))), {
    examples: [
      { id: "teams", key: "teams", config: [{ key: "max.workflowrun.concurrent", type: "number", value: "100", defaultValue: "100" }] },
    ],
  }),
);

/** One setting in a write: a whole response may be sent back, but only `key` and `value` have an effect. */
export interface SettingConfigInput extends Static<typeof settingConfigInput> {}
export const settingConfigInput = named(
  "SettingConfigInput",
  Type.Object({
    ...settingConfig.properties,
    value: orNull(
      Type.Unsafe<string | number | boolean>({
        type: ["string", "number", "boolean"],
        maxLength: 65_536,
        description: "The text, or the number or boolean for it. Absent or null: unchanged; the same for an empty secret",
        examples: ["2Gi", 8, true],
      }),
    ),
  }),
);

/** A group of settings in a write, identified by `id` or `key`. */
export interface SettingInput extends Static<typeof settingInput> {}
export const settingInput = named(
  "SettingInput",
  Type.Object(groupMembers(Type.Array(ref(settingConfigInput), { maxItems: 1000 })), {
    examples: [{ key: "teams", config: [{ key: "max.workflowrun.concurrent", value: 8 }] }],
  }),
);

function groupMembers<T extends TSchema>(config: T) {
  return {
    id: orNull(Type.String({ maxLength: 100, description: "The same as `key`" })),
    key: orNull(Type.String({ maxLength: 100, examples: ["teams"] })),
    name: orNull(Type.String()),
    description: orNull(Type.String()),
    tool: orNull(Type.String()),
    type: orNull(Type.String({ examples: ["ValuesList"] })),
    lastModified: orNull(Type.String({ description: "ISO 8601 in UTC; null if it was never changed" })),
    lastModiifed: orNull(Type.String({ description: "The same, in the published spelling" })),
    config: orNull(config),
  };
}
