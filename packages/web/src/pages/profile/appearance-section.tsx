import { Radio, Stack, Text, useMantineColorScheme } from "@mantine/core";
import { themes } from "../../components/shell/themes.ts";
import { TimeText } from "../../ui/time/time-text.tsx";

/** What is kept in this browser: the theme; and in which zone times are shown. */
export function AppearanceSection() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Stack gap="xl" maw={520}>
      <Radio.Group
        label="Theme"
        description="Stored in this browser"
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
        <Text fw={500}>Time zone</Text>
        <Text>
          {Intl.DateTimeFormat().resolvedOptions().timeZone}: current time <TimeText at={new Date().toISOString()} isExact />
        </Text>
        <Text size="sm" className="quiet">
          Times use the time zone and language of this browser. Schedules have their own time zone.
        </Text>
      </Stack>
    </Stack>
  );
}
