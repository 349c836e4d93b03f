import {
  ActionIcon,
  AppShell,
  Burger,
  Group,
  Kbd,
  Menu,
  ScrollArea,
  Select,
  Text,
  Tooltip,
  UnstyledButton,
  useMantineColorScheme,
} from "@mantine/core";
import { useDebouncedValue, useDisclosure, useLocalStorage, useMediaQuery } from "@mantine/hooks";
import { IconCheck, IconHelp, IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand, IconUserCircle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useLocation, useNavigate, useParams } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { api, call, queryClient } from "../../api/client.ts";
import { contextQuery, teamQuery, teamsQuery } from "../../api/queries/session.ts";
import { useCaller } from "../../hooks/use-caller.ts";
import { paths } from "../../paths.ts";
import { themes } from "../../styles/theme.ts";
import { t } from "../../texts/frame.ts";
import { CommandPalette } from "../command-palette/command-palette.tsx";
import { usePageKeys } from "../keys/use-page-keys.ts";
import { PlatformMessage } from "../workflow-icon.tsx";
import { handbookAddress } from "./handbook-address.ts";
import { Places, usePlaces } from "./places.tsx";
import classes from "./shell.module.css";

const atOnce = { getInitialValueInEffect: false };

/**
 * Whether the navigation shows its icons only. What somebody chose holds in this browser; until then it is folded where the page
 * needs the room more. On a telephone it lies over the page and is never folded.
 */
function useFoldedNavigation(): { isFolded: boolean; fold: () => void } {
  const [wish, setWish] = useLocalStorage({ key: "millrace-navigation", defaultValue: "", getInitialValueInEffect: false });
  const isTelephone = useMediaQuery("(max-width: 47.99em)", false, atOnce);
  const isTablet = useMediaQuery("(max-width: 62em)", false, atOnce);
  const isTight = useMediaQuery("(max-width: 90em)", false, atOnce);
  const isDesigner = useParams({ strict: false }).workflow !== undefined;
  const isFolded = !isTelephone && (wish === "" ? isTablet || (isTight && isDesigner) : wish === "folded");
  return { isFolded, fold: () => setWish(isFolded ? "open" : "folded") };
}

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
          <HandbookLink />
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

/** To what the handbook has about this page, beside it: what is being edited stays. A telephone has it in the menu of the account. */
function HandbookLink() {
  const label = t("shell.handbookOfPage");
  return (
    <Tooltip label={label}>
      <ActionIcon
        component="a"
        href={handbookAddress(useLocation().pathname)}
        target="_blank"
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={label}
        visibleFrom="sm"
      >
        <IconHelp size={20} />
      </ActionIcon>
    </Tooltip>
  );
}

function OwnMenu({ onHelp }: { onHelp: () => void }) {
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

/** Light, dark or as the system, in the menu of the account. */
function ThemeItems() {
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

/** The team that is looked at, and the way to the others: the service looks for what is typed among all of them. */
function TeamSwitch({ team }: { team: string | undefined }) {
  const [typed, setTyped] = useState("");
  const [isOpen, setOpen] = useState(false);
  const [search] = useDebouncedValue(isOpen ? typed : "", 200);
  const { data: own } = useQuery({ ...teamQuery(team ?? ""), enabled: team !== undefined });
  const shown = own?.displayName || team;
  // What stands in the field is the chosen team's name until somebody types: that is not a search.
  const { data } = useQuery(teamsQuery(search === shown ? "" : search));
  const navigate = useNavigate();
  const found = (data?.content ?? []).map(({ name, displayName }) => ({ value: name, label: displayName || name }));
  const isListed = team === undefined || found.some(({ value }) => value === team);
  return (
    <Select
      aria-label={t("teamSwitch.team")}
      placeholder={t("teamSwitch.chooseTeamPlaceholder")}
      size="xs"
      searchable
      data={isListed ? found : [{ value: team, label: shown ?? team }, ...found]}
      filter={({ options, search: text }) =>
        text === shown || text.trim() === ""
          ? options
          : options.filter((option) => !("value" in option) || found.some(({ value }) => value === option.value))
      }
      value={team ?? null}
      onSearchChange={setTyped}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      nothingFoundMessage={t("teamSwitch.noTeamName")}
      onChange={(chosen) => chosen && void navigate({ to: paths.workflows(chosen) })}
    />
  );
}
