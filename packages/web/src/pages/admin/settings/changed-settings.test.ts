import { expect, test } from "vitest";
import type { SettingGroup } from "../../../api/queries/instance-settings.ts";
import { changedSettings, draftOfFault, isStoredChanged, secretsToRepeat } from "./changed-settings.ts";

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

const mail: SettingGroup = {
  key: "mail",
  config: [
    { key: "host", type: "text", value: "mail.example.com" },
    { key: "from", type: "text", value: "a@example.com" },
    { key: "password", type: "secured", label: "Password", value: "", placeholder: "Set", sentTo: ["host"] },
  ],
};

test.each([
  ["nothing has changed", {}, []],
  ["the server is another one", { "mail/host": "other.example.com" }, ["Password"]],
  ["the server is another one, and the secret was entered", { "mail/host": "other.example.com", "mail/password": "s" }, []],
  ["the server is the old one again", { "mail/host": "mail.example.com" }, []],
  ["there is no server any more", { "mail/host": "" }, []],
  ["something else has changed", { "mail/from": "b@example.com" }, []],
])("which secrets have to be entered again when %s", (_, drafts, labels) => expect(secretsToRepeat([mail], drafts)).toEqual(labels));

test("a secret that was never set does not have to be entered", () => {
  const config = (mail.config ?? []).map((one) => ({ ...one, placeholder: "Not set" }));
  expect(secretsToRepeat([{ ...mail, config }], { "mail/host": "other.example.com" })).toEqual([]);
});

test.each([
  ["/0/config/1/value", "teams/max:runs"],
  ["/1/config/0/value", "mail/password"],
  ["/2/config/0/value", undefined],
  ["/0", undefined],
])("what the service refuses at %s stands at the field %s", (path, field) => {
  const wanted = [
    { key: "teams", config: [{ key: "count" }, { key: "max.runs" }] },
    { key: "mail", config: [{ key: "password" }] },
  ];
  expect(draftOfFault({ path }, wanted)).toBe(field);
});
