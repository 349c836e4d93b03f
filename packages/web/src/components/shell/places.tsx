import { NavLink, Tooltip, UnstyledButton } from "@mantine/core";
import {
  IconActivity,
  IconAdjustments,
  IconApps,
  IconArchive,
  IconCalendarEvent,
  IconChartDots,
  IconChevronDown,
  IconChevronRight,
  IconFile,
  IconHistory,
  IconHome,
  IconKey,
  IconSend,
  IconServer,
  IconSettings,
  IconSitemap,
  IconStack2,
  IconTools,
  IconUser,
  IconUserCheck,
  IconUsersGroup,
  IconVariable,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useRouterState } from "@tanstack/react-router";
import { type ReactNode, useMemo, useState } from "react";
import { navigationQuery } from "../../api/queries/identity/session.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/frame.ts";
import { letterOf, type Place } from "../keys/use-page-keys.ts";
import { OpenCount } from "./open-count.tsx";
import classes from "./shell.module.css";

/** The keys are the names used by `GET /api/v2/navigation`. */
const icons: Readonly<Record<string, typeof IconFile>> = {
  Home: IconHome,
  FlowData: IconSitemap,
  Activity: IconActivity,
  Stamp: IconUserCheck,
  ChartScatter: IconChartDots,
  CalendarHeatMap: IconCalendarEvent,
  AppConnectivity: IconApps,
  TaskSettings: IconTools,
  Parameter: IconVariable,
  SettingsAdjust: IconAdjustments,
  Settings: IconSettings,
  Teams: IconUsersGroup,
  Users: IconUser,
  "Global Parameters": IconVariable,
  "Global Tokens": IconKey,
  "Task Manager": IconTools,
  "Template Workflows": IconStack2,
  Workers: IconServer,
  History: IconArchive,
  Events: IconSend,
  Insights: IconChartDots,
  Audit: IconHistory,
};

function NavigationIcon({ name }: { name: string }) {
  const Icon = icons[name] ?? IconFile;
  return <Icon size={16} stroke={1.75} aria-hidden />;
}

interface PlacesProps {
  team: string | undefined;
  /** Whether only the icons are shown. */
  isFolded: boolean;
  onChoose: () => void;
}

/** The entries of the navigation as the service returns them: only enabled features that the caller may read. */
export function Places({ team, isFolded, onChoose }: PlacesProps) {
  const { data = [] } = useQuery(navigationQuery(team));
  return data.map((place, index) => {
    if (place.type === "divider")
      // biome-ignore lint/suspicious/noArrayIndexKey: dividers have no other identity
      return index === data.length - 1 ? null : <hr key={index} className={classes.divider} />;
    if (place.type === "menu") {
      const links = (place.childLinks ?? []).flatMap(({ name = "", link, icon }) => (link ? [{ name, link, icon }] : []));
      return <PlaceGroup key={place.name} name={place.name ?? ""} links={links} team={team} isFolded={isFolded} onChoose={onChoose} />;
    }
    if (!place.link || place.disabled) return null;
    return (
      <PlaceLink
        key={place.link}
        name={place.name ?? ""}
        link={place.link}
        icon={place.icon}
        isFolded={isFolded}
        onChoose={onChoose}
        more={team !== undefined && place.link === paths.actions(team) && !isFolded && <OpenCount team={team} />}
      />
    );
  });
}

interface PlaceGroupProps extends PlacesProps {
  name: string;
  links: readonly { name: string; link: string; icon: string | undefined }[];
}

/** Collapsed inside a team, whose own pages have similar names; expanded on the pages of the administration. */
function PlaceGroup({ name, links, team, isFolded, onChoose }: PlaceGroupProps) {
  const [choice, setChoice] = useState<{ team: string | undefined; isOpen: boolean }>();
  const isOpen = choice !== undefined && choice.team === team ? choice.isOpen : team === undefined;
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <>
      <hr className={classes.divider} />
      <UnstyledButton className={classes.title} aria-expanded={isOpen} onClick={() => setChoice({ team, isOpen: !isOpen })}>
        <Chevron size={16} aria-hidden />
        <span className={isFolded ? "only-heard" : undefined}>{placeWords(name)}</span>
      </UnstyledButton>
      {isOpen && links.map((place) => <PlaceLink key={place.link} {...place} isFolded={isFolded} onChoose={onChoose} />)}
    </>
  );
}

interface PlaceLinkProps {
  name: string;
  link: string;
  icon: string | undefined;
  isFolded: boolean;
  onChoose: () => void;
  /** Shown after the name. */
  more?: ReactNode;
}

function PlaceLink({ name, link, icon, isFolded, onChoose, more }: PlaceLinkProps) {
  const current = useRouterState({ select: ({ location }) => location.pathname });
  const letter = letterOf(link);
  const words = placeWords(name);
  return (
    <Tooltip label={words} position="right" disabled={!isFolded}>
      <NavLink
        component={Link}
        to={link}
        label={
          <span className={isFolded ? "only-heard" : undefined}>
            {words} {more}
          </span>
        }
        active={current === link || current.startsWith(`${link}/`)}
        aria-keyshortcuts={letter && `g ${letter}`}
        leftSection={<NavigationIcon name={icon ?? name} />}
        onClick={onChoose}
        className={classes.place}
      />
    </Tooltip>
  );
}

/** All pages that the caller can open from here, as a flat list. */
export function usePlaces(team: string | undefined): readonly Place[] {
  const { data } = useQuery(navigationQuery(team));
  return useMemo(
    () =>
      (data ?? [])
        .flatMap((place) => [place, ...(place.childLinks ?? [])])
        .flatMap(({ name, link, disabled }) => (link && !disabled ? [{ name: placeWords(name ?? ""), link }] : [])),
    [data],
  );
}

/** The service's names of pages are English titles (`Manage Team`). Names that a newer service adds are shown unchanged. */
export function placeWords(name: string): string {
  const key = name.charAt(0).toLowerCase() + name.slice(1).replaceAll(" ", "");
  return isPlace(key) ? t(`placeNames.${key}`) : name;
}

function isPlace(key: string): key is keyof typeof t.english.placeNames {
  return Object.hasOwn(t.english.placeNames, key);
}
