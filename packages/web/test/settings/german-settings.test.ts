import { expect, test } from "vitest";
import { settingGroups } from "../../../server/src/core/settings/instance-settings.ts";
import { germanSettings, settingsInGerman } from "../../src/api/german-settings.ts";

const described = settingGroups.map(({ key, name, description, settings }) => ({
  ...{ key, name, description },
  config: settings.map((setting) => ({ ...setting, options: "options" in setting ? setting.options : [] })),
}));

test("every setting of the service is described in German, and no other", () => {
  expect(Object.keys(germanSettings).sort()).toEqual(described.map(({ key }) => key).sort());
  for (const { key, config } of described) {
    const { settings } = germanSettings[key] as (typeof germanSettings)[string];
    expect(Object.keys(settings).sort(), key).toEqual(config.map((setting) => setting.key).sort());
    for (const { key: name, options, description } of config) {
      const known = new Set(options.map((option) => option.key));
      expect(
        Object.keys(settings[name]?.options ?? {}).filter((option) => !known.has(option)),
        `${key}/${name}`,
      ).toEqual([]);
      // Names in backticks are the same in all languages.
      const names = (text: string | undefined) => [...new Set(text?.match(/`[^`]+`/g) ?? [])].sort();
      expect(names(settings[name]?.description), `${key}/${name}`).toEqual(names(description));
    }
  }
});

test("keys and values stay, and what is not known stays English", () => {
  const setting = { key: "deletion.policy", label: "Remove", description: "When", type: "select", value: "Never" };
  const options = [
    { key: "Never", value: "Never" },
    { key: "Later", value: "Much later" },
  ];
  const later = { key: "later", label: "A later setting", description: "Of a later service", type: "text", value: "x" };
  const seconds = { key: "workspace.wait", label: "Wait", type: "number", helperText: "A whole number from 0 to 525600" };
  const [group] = settingsInGerman([{ key: "task", name: "Tasks", description: "…", config: [{ ...setting, options }, later, seconds] }]);
  expect(group?.config?.[0]).toMatchObject({ key: "deletion.policy", value: "Never", label: "Beendete Pods und Container entfernen" });
  expect(group?.config?.[0]?.options).toEqual([
    { key: "Never", value: "Nie" },
    { key: "Later", value: "Much later" },
  ]);
  expect(group?.config?.[1]).toEqual(later);
  expect(group?.config?.[2]).toMatchObject({ helperText: "Eine ganze Zahl von 0 bis 525600" });
});
