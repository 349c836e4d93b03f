import { Radio, Stack, Text, useMantineColorScheme } from "@mantine/core";
import { themes } from "../../components/shell/themes.ts";
import { t } from "../../texts/profile.ts";
import { TimeText } from "../../ui/time/time-text.tsx";

/** What is kept in this browser: the theme; and in which zone times are shown. */
export function AppearanceSection() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Stack gap="xl" maw={520}>
      <Radio.Group
        label={t("appearanceSection.theme")}
        description={t("appearanceSection.themeHelp")}
        value={colorScheme}
        onChange={(value) => setColorScheme(value as (typeof themes)[number]["value"])}
      >
        <Stack gap="xs" mt="xs">
          {themes.map(({ value, label }) => (
            <Radio key={value} value={value} label={label} />
          ))}
        </Stack>
      </Radio.Group>
      <Stack gap={4}>
        <Text fw={500}>{t("appearanceSection.timeZone")}</Text>
        <Text>
          {t.rich("appearanceSection.currentTime", {
            timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
            time: () => <TimeText at={new Date().toISOString()} isExact />,
          })}
        </Text>
        <Text size="sm" className="quiet">
          {t("appearanceSection.timesUseTimeZone")}
        </Text>
      </Stack>
    </Stack>
  );
}
