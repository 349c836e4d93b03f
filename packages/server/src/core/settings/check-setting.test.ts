import { describe, expect, test } from "vitest";
import { checkSetting } from "./check-setting.ts";
import { settingDefinition, settingGroups, settingText } from "./instance-settings.ts";

const check = (path: string, value: string) => {
  const [group = "", key = ""] = path.split("/");
  return checkSetting(settingDefinition(group, key), value);
};

describe("a value is kept in one form:", () => {
  test.each([
    ["teams/max.workflow.count", " 007 ", "7"],
    ["teams/max.workflow.count", "0", "0"],
    ["teams/max.workflow.storage", "3", "3Gi"],
    ["teams/max.workflow.storage", "3 Gi", "3Gi"],
    ["teams/max.workflow.storage", "0Gi", "0Gi"],
    ["features/activity", "FALSE", "false"],
    ["task/deletion.policy", "onsuccess", "OnSuccess"],
    ["workflow/storage.size", "2", "2Gi"],
    ["workflow/storage.size", "512Mi", "512Mi"],
    ["integration/chat.baseURL", "", ""],
    ["integration/chat.baseURL", " https://chat.example.com/api ", "https://chat.example.com/api"],
    ["integration/chat.signingSecret", "  abcd1234\n", "abcd1234"],
    ["customizations/platformName", "", ""],
    ["integration/codehost.linking", "NEW", "new"],
    [
      "integration/codehost.pem",
      "-----BEGIN PRIVATE KEY----- AAAA -----END PRIVATE KEY-----",
      "-----BEGIN PRIVATE KEY----- AAAA -----END PRIVATE KEY-----\n",
    ],
    [
      "integration/codehost.pem",
      "-----BEGIN RSA PRIVATE KEY-----\\nAAAA\\n-----END RSA PRIVATE KEY-----",
      "-----BEGIN RSA PRIVATE KEY-----\\nAAAA\\n-----END RSA PRIVATE KEY-----\n",
    ],
  ])("%s %j is %j", (path, value, kept) => {
    expect(check(path, value)).toEqual({ value: kept });
  });
});

describe("an invalid value is refused with the remedy:", () => {
  test.each([
    ["teams/max.workflow.count", "", "a whole number from 0"],
    ["teams/max.workflow.count", "-1", "a whole number"],
    ["teams/max.workflow.count", "1.5", "a whole number"],
    ["teams/max.workflow.count", "1e3", "a whole number"],
    ["teams/max.workflow.count", "99999999999", "to 1000000000"],
    ["teams/max.workflow.count", "0x10", "a whole number"],
    ["teams/max.workflowrun.duration", "0", "from 1 to"],
    ["teams/max.workflow.storage", "512Mi", "whole gibibytes"],
    ["teams/max.workflow.storage", "1000001", "to 1000000Gi"],
    ["features/activity", "yes", "one of true, false"],
    ["features/activity", "", "one of true, false"],
    ["task/deletion.policy", "Sometimes", "one of Never, OnSuccess, Always"],
    ["workflow/storage.size", "big", "a size such as"],
    ["workflow/storage.size", "0Gi", "a size such as"],
    ["workflow/storage.accessMode", "", "one of ReadWriteMany"],
    ["integration/chat.baseURL", "chat.example.com", "https://"],
    ["integration/chat.baseURL", "javascript:alert(1)", "https://"],
    ["integration/chat.baseURL", "https://someone:password@chat.example.com", "https://"],
    ["integration/chat.baseURL", `https://example.com/${"x".repeat(2000)}`, "https://"],
    ["customizations/appName", "  ", "must not be empty"],
    ["customizations/appName", "x".repeat(101), "at most 100 characters, but has 101"],
    ["customizations/appName", "a\u0007b", "control characters"],
    ["customizations/appName", " mrsealed:v1:AVBMQVRGT1JNBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH", "encrypted"],
    ["api/rate.burst", "0", "a whole number from 1"],
  ])("%s %j", (path, value, right) => {
    expect(check(path, value)).toEqual({ fault: expect.stringContaining(right) });
  });

  test.each([
    ["integration/chat.token", "abc", "4 to 4096 characters, but has 3"],
    ["integration/chat.token", "two words of it", "without spaces"],
    ["integration/chat.token", "x".repeat(4097), "but has 4097"],
    ["integration/codehost.pem", "not-a-pem-at-all", "private key in PEM form"],
    ["integration/codehost.pem", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----", "private key in PEM form"],
  ])("%s, without the secret", (path, value, right) => {
    const { fault } = check(path, value) as { fault: string };
    expect(fault).toContain(right);
    expect(fault).not.toContain(value);
  });
});

describe("the catalogue", () => {
  const all = settingGroups.flatMap(({ key: group, settings }) => settings.map((setting) => ({ group, ...setting })));

  test("has each key once, with words for people, and defaults that are good values", () => {
    expect(new Set(settingGroups.map(({ key }) => key)).size).toBe(settingGroups.length);
    expect(new Set(all.map(({ group, key }) => `${group}/${key}`)).size).toBe(all.length);
    for (const { group, ...setting } of all) {
      expect([group, setting.key, setting.label !== "" && /[.]$/.test(setting.description)]).toEqual([group, setting.key, true]);
      if (setting.type === "secured") expect(setting.default).toBe("");
      else expect([group, setting.key, checkSetting(setting, setting.default)]).toEqual([group, setting.key, { value: setting.default }]);
    }
  });

  test("answers the default for a stored value that would not be let in any more, and nothing for a secret", () => {
    expect(settingText(new Map([["teams/max.workflow.count", "many"]]), "teams", "max.workflow.count")).toBe("1000");
    expect(settingText(new Map([["integration/chat.token", "sealed"]]), "integration", "chat.token")).toBe("");
    expect(() => settingText(new Map(), "teams", "max.workflow.counts")).toThrow("there is no setting teams/max.workflow.counts");
  });
});
