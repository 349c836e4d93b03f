import { Radio, Stack } from "@mantine/core";
import { t } from "../../texts/identity/profile.ts";
import { chooseLanguage, chosenLanguage, type Language, languages } from "../../texts/language.ts";

const asBrowser = "browser";

/** Each language by its own name, which its speakers recognize. */
export function LanguageChoice() {
  const choose = (value: string) => chooseLanguage(value === asBrowser ? undefined : (value as Language));
  return (
    <Radio.Group
      label={t("appearanceSection.language")}
      description={t("appearanceSection.languageHelp")}
      value={chosenLanguage ?? asBrowser}
      onChange={choose}
    >
      <Stack gap="xs" mt="xs">
        <Radio value={asBrowser} label={t("appearanceSection.languageOfBrowser")} />
        {Object.entries(languages).map(([value, name]) => (
          <Radio key={value} value={value} label={<span lang={value}>{name}</span>} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
