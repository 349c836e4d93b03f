import { NavLink, Tooltip, UnstyledButton } from "@mantine/core";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useRouterState } from "@tanstack/react-router";
import { useState } from "react";
import { navigationQuery } from "../../api/queries/session.ts";
import { letterOf } from "../keys/place-keys.ts";
import { NavigationIcon } from "./navigation-icon.tsx";
import { placeWords } from "./place-words.ts";
import classes from "./shell.module.css";

interface PlacesProps {
  team: string | undefined;
  /** Only the icons. */
  isFolded: boolean;
  onChoose: () => void;
}

/** As the service says: only what is switched on and what the caller may read. */
export function Places({ team, isFolded, onChoose }: PlacesProps) {
  const { data = [] } = useQuery(navigationQuery(team));
  return data.map((place, index) => {
    if (place.type === "divider")
      // biome-ignore lint/suspicious/noArrayIndexKey: dividers have nothing else
      return index === data.length - 1 ? null : <hr key={index} className={classes.divider} />;
    if (place.type === "menu") {
      const links = (place.childLinks ?? []).flatMap(({ name = "", link, icon }) => (link ? [{ name, link, icon }] : []));
      return <PlaceGroup key={place.name} name={place.name ?? ""} links={links} team={team} isFolded={isFolded} onChoose={onChoose} />;
    }
    if (!place.link || place.disabled) return null;
    return (
      <PlaceLink key={place.link} name={place.name ?? ""} link={place.link} icon={place.icon} isFolded={isFolded} onChoose={onChoose} />
    );
  });
}

interface PlaceGroupProps extends PlacesProps {
  name: string;
  links: readonly { name: string; link: string; icon: string | undefined }[];
}

/** Folded inside of a team, whose own places have names that are much alike; open where one administers. */
function PlaceGroup({ name, links, team, isFolded, onChoose }: PlaceGroupProps) {
  const [choice, setChoice] = useState<{ team: string | undefined; isOpen: boolean }>();
  const isOpen = choice !== undefined && choice.team === team ? choice.isOpen : team === undefined;
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <>
      <hr className={classes.divider} />
      <UnstyledButton className={classes.title} aria-expanded={isOpen} onClick={() => setChoice({ team, isOpen: !isOpen })}>
        <Chevron size={16} aria-hidden />
        <span className={isFolded ? "only-heard" : undefined}>{name}</span>
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
}

function PlaceLink({ name, link, icon, isFolded, onChoose }: PlaceLinkProps) {
  const current = useRouterState({ select: ({ location }) => location.pathname });
  const letter = letterOf(link);
  const words = placeWords(name);
  return (
    <Tooltip label={words} position="right" disabled={!isFolded}>
      <NavLink
        component={Link}
        to={link}
        label={<span className={isFolded ? "only-heard" : undefined}>{words}</span>}
        active={current === link || current.startsWith(`${link}/`)}
        aria-keyshortcuts={letter && `g ${letter}`}
        leftSection={<NavigationIcon name={icon ?? name} />}
        onClick={onChoose}
        className={classes.place}
      />
    </Tooltip>
  );
}
