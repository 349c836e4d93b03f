import { expect, test } from "vitest";
import type { SettingGroup } from "../../../api/queries/settings.ts";
import { changedSettings, isStoredChanged } from "./changed-settings.ts";

const groups: SettingGroup[] = [
  {
    key: "teams",
    config: [
      { key: "count", value: "8" },
      { key: "hours", value: "4" },
    ],
  },
  { key: "mail", config: [{ key: "password", type: "secured", value: "" }] },
];

test.each([
  [{}, [], 0],
  [{ "teams/count": "8" }, [], 0],
  [{ "teams/count": "9" }, [{ key: "teams", config: [{ key: "count", value: "9" }] }], 1],
  [{ "teams/count": "", "mail/password": "" }, [{ key: "teams", config: [{ key: "count", value: "" }] }], 1],
  [
    { "teams/hours": "5", "mail/password": "s" },
    [
      { key: "teams", config: [{ key: "hours", value: "5" }] },
      { key: "mail", config: [{ key: "password", value: "s" }] },
    ],
    2,
  ],
])("of the drafts %j only what is another than before is sent", (drafts, wanted, count) =>
  expect(changedSettings(groups, drafts)).toEqual({ wanted, count }),
);

test.each([
  [{ key: "a", type: "number", value: "8", defaultValue: "4" }, true],
  [{ key: "a", type: "number", value: "4", defaultValue: "4" }, false],
  [{ key: "a", type: "secured", value: "", defaultValue: "", placeholder: "Set" }, true],
  [{ key: "a", type: "secured", value: "", defaultValue: "", placeholder: "Not set" }, false],
])("%j is another than the default: %s", (setting, isChanged) => expect(isStoredChanged(setting)).toBe(isChanged));
