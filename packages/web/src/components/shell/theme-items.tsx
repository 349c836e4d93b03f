import { Menu, useMantineColorScheme } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { t } from "../../texts/frame.ts";
import { themes } from "./themes.ts";

/** Light, dark or as the system, in the menu of the account. */
export function ThemeItems() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <Menu.Divider />
      <Menu.Label>{t("themeItems.theme")}</Menu.Label>
      {themes.map(({ value, label }) => (
        <Menu.Item
          key={value}
          onClick={() => setColorScheme(value)}
          aria-current={colorScheme === value}
          rightSection={colorScheme === value ? <IconCheck size={14} aria-hidden /> : null}
        >
          {label}
        </Menu.Item>
      ))}
      <Menu.Divider />
    </>
  );
}
