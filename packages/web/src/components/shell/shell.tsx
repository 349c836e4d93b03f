import { ActionIcon, AppShell, Burger, Group, Kbd, Menu, ScrollArea, Text, Tooltip, UnstyledButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand, IconUserCircle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense } from "react";
import { api, call } from "../../api/client.ts";
import { contextQuery } from "../../api/queries/session.ts";
import { queryClient } from "../../api/query-client.ts";
import { useCaller } from "../../hooks/use-caller.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/frame.ts";
import { CommandPalette } from "../command-palette/command-palette.tsx";
import { usePageKeys } from "../keys/use-page-keys.ts";
import { usePlaces } from "../keys/use-places.ts";
import { PlatformMessage } from "../platform-message.tsx";
import { Places } from "./places.tsx";
import classes from "./shell.module.css";
import { TeamSwitch } from "./team-switch.tsx";
import { ThemeItems } from "./theme-items.tsx";
import { useFoldedNavigation } from "./use-folded-navigation.ts";

const KeysHelp = lazy(async () => ({ default: (await import("../keys/keys-help.tsx")).KeysHelp }));

/** What stands around every page: the way between the places of a team, the teams, and one's own things. */
export function Shell({ children }: { children: ReactNode }) {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const [isHelp, help] = useDisclosure(false);
  const { isFolded, fold } = useFoldedNavigation();
  const { team } = useParams({ strict: false });
  const places = usePlaces(team);
  usePageKeys({ places, onHelp: help.open, onFold: fold });
  return (
    <AppShell header={{ height: 48 }} navbar={{ width: isFolded ? 48 : 208, breakpoint: "sm", collapsed: { mobile: !isOpen } }}>
      <a className={classes.skip} href="#main">
        {t("shell.skipContent")}
      </a>
      <AppShell.Header>
        <Group h="100%" px="sm" gap="sm" wrap="nowrap">
          <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={t("shell.navigation")} />
          <ProductName />
          <TeamSwitch team={team} />
          <div style={{ flex: 1 }} />
          <CommandPalette team={team} />
          <OwnMenu onHelp={help.open} />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar aria-label={t("shell.main")}>
        <ScrollArea className={classes.places}>
          <Places team={team} isFolded={isFolded} onChoose={close} />
        </ScrollArea>
        <FoldButton isFolded={isFolded} onClick={fold} />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        <PlatformMessage />
        {children}
      </AppShell.Main>
      {isHelp && (
        <Suspense>
          <KeysHelp places={places} onClose={help.close} />
        </Suspense>
      )}
    </AppShell>
  );
}

/** Gives the page the room of the words, which a canvas or a wide table needs. */
function FoldButton({ isFolded, onClick }: { isFolded: boolean; onClick: () => void }) {
  const Icon = isFolded ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  const label = isFolded ? t("shell.openNavigation") : t("shell.collapseNavigation");
  return (
    <Tooltip label={`${label}: [`} position="right">
      <UnstyledButton className={classes.fold} onClick={onClick} aria-label={label} aria-keyshortcuts="[" visibleFrom="sm">
        <Icon size={16} stroke={1.75} aria-hidden />
      </UnstyledButton>
    </Tooltip>
  );
}

function ProductName() {
  const { data } = useQuery(contextQuery);
  return (
    <Text component={Link} to={paths.home()} fw={700} className={classes.name} aria-label={data?.platform.name || t("shell.millrace")}>
      <img src="/icon.svg" alt="" width={20} height={20} /> <span>{data?.platform.name || "Millrace"}</span>
    </Text>
  );
}

function OwnMenu({ onHelp }: { onHelp: () => void }) {
  const caller = useCaller();
  const navigate = useNavigate();
  const signOut = async () => {
    await call(api.POST("/api/v2/auth/sign-out"));
    sessionStorage.clear();
    queryClient.clear();
    await navigate({ to: "/sign-in" });
  };
  return (
    <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t("shell.account")}>
          <IconUserCircle size={20} />
        </ActionIcon>
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
        <Menu.Item component="a" href="/api/docs">
          {t("shell.apiDocumentation")}
        </Menu.Item>
        <Menu.Item onClick={() => void signOut()}>{t("shell.signOut")}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
