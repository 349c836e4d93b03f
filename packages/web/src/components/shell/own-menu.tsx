import { Kbd, Menu, useMantineColorScheme } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { Link, useLocation, useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { api, call, queryClient } from "../../api/client.ts";
import { useCaller } from "../../hooks/use-caller.ts";
import { paths } from "../../paths.ts";
import { themes, themeWord } from "../../styles/theme.ts";
import { t } from "../../texts/frame.ts";
import { AccountButton } from "./account-button.tsx";
import { handbookAddress } from "./handbook-address.ts";

/** Opens as soon as it is loaded. Its button replaces the one that requested it, and takes the focus. */
export function OwnMenu({ onHelp }: { onHelp: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    button.current?.focus();
    setOpen(true);
  }, []);
  const caller = useCaller();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const signOut = async () => {
    await call(api.POST("/api/v2/auth/sign-out"));
    sessionStorage.clear();
    queryClient.clear();
    await navigate({ to: "/sign-in" });
  };
  return (
    <Menu position="bottom-end" opened={isOpen} onChange={setOpen} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <AccountButton ref={button} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{caller.name}</Menu.Label>
        <Menu.Item component={Link} to={paths.profile()}>
          {t("shell.profileSessions")}
        </Menu.Item>
        <ThemeItems />
        <Menu.Item onClick={onHelp} rightSection={<Kbd size="xs">?</Kbd>}>
          {t("shell.keyboardShortcuts")}
        </Menu.Item>
        <Menu.Item component="a" href={handbookAddress(pathname)} target="_blank">
          {t("shell.handbook")}
        </Menu.Item>
        <Menu.Item component="a" href="/api/docs">
          {t("shell.apiDocumentation")}
        </Menu.Item>
        <Menu.Item onClick={() => void signOut()}>{t("shell.signOut")}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** The theme selection (light, dark or system) in the account menu. */
function ThemeItems() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <Menu.Divider />
      <Menu.Label>{t("themeItems.theme")}</Menu.Label>
      {themes.map((each) => (
        <Menu.Item
          key={each.value}
          onClick={() => setColorScheme(each.value)}
          aria-current={colorScheme === each.value}
          rightSection={colorScheme === each.value ? <IconCheck size={14} aria-hidden /> : null}
        >
          {themeWord(each)}
        </Menu.Item>
      ))}
      <Menu.Divider />
    </>
  );
}
