import { ActionIcon, AppShell, Burger, Group, Menu, NavLink, ScrollArea, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconUserCircle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useRouterState } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api, call } from "../api/client.ts";
import { contextQuery, navigationQuery } from "../api/queries/session.ts";
import { queryClient } from "../api/query-client.ts";
import { useCaller } from "../hooks/use-caller.ts";
import { paths } from "../paths.ts";
import { CommandPalette } from "./command-palette/command-palette.tsx";
import { NavigationIcon } from "./navigation-icon.tsx";
import classes from "./shell.module.css";
import { TeamSwitch } from "./team-switch.tsx";
import { ThemeItems } from "./theme-items.tsx";

/** What stands around every page: the way between the places of a team, the teams, and one's own things. */
export function Shell({ children }: { children: ReactNode }) {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const { team } = useParams({ strict: false }) as { team?: string };
  return (
    <AppShell header={{ height: 48 }} navbar={{ width: 208, breakpoint: "sm", collapsed: { mobile: !isOpen } }}>
      <a className={classes.skip} href="#main">
        Skip to the content
      </a>
      <AppShell.Header>
        <Group h="100%" px="sm" gap="sm" wrap="nowrap">
          <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Navigation" />
          <ProductName />
          <TeamSwitch team={team} />
          <div style={{ flex: 1 }} />
          <CommandPalette team={team} />
          <OwnMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar aria-label="Main">
        <ScrollArea>
          <Places team={team} onChoose={close} />
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        {children}
      </AppShell.Main>
    </AppShell>
  );
}

function ProductName() {
  const { data } = useQuery(contextQuery);
  return (
    <Text component={Link} to={paths.home()} fw={700} className={classes.name} aria-label={data?.platform.name || "Millrace"}>
      <img src="/icon.svg" alt="" width={20} height={20} /> <span>{data?.platform.name || "Millrace"}</span>
    </Text>
  );
}

/** As the service says: only what is switched on and what the caller may read. */
function Places({ team, onChoose }: { team: string | undefined; onChoose: () => void }) {
  const { data = [] } = useQuery(navigationQuery(team));
  const current = useRouterState({ select: ({ location }) => location.pathname });
  const link = (name: string, to: string, icon?: string) => (
    <NavLink
      key={to}
      component={Link}
      to={to}
      label={name}
      active={current === to || current.startsWith(`${to}/`)}
      leftSection={<NavigationIcon name={icon ?? name} />}
      onClick={onChoose}
      className={classes.place}
    />
  );
  return data.map((place, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: dividers have nothing else
    if (place.type === "divider") return <hr key={index} className={classes.divider} />;
    if (place.type === "menu")
      return [
        <Text key="title" size="xs" fw={500} className={`${classes.title} quiet`}>
          {place.name}
        </Text>,
        ...(place.childLinks ?? []).map((child) => child.link && link(child.name!, child.link, child.icon)),
      ];
    return place.link && !place.disabled ? link(place.name!, place.link, place.icon) : null;
  });
}

function OwnMenu() {
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
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Your account">
          <IconUserCircle size={20} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{caller.name}</Menu.Label>
        <Menu.Item component={Link} to={paths.profile()}>
          Profile and sessions
        </Menu.Item>
        <ThemeItems />
        <Menu.Item component="a" href="/api/docs">
          API documentation
        </Menu.Item>
        <Menu.Item onClick={() => void signOut()}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
