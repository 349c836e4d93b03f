import { ActionIcon, Alert, Burger, ScrollArea, Select, Text, Tooltip, UnstyledButton } from "@mantine/core";
import { useDebouncedValue, useDisclosure, useLocalStorage, useMediaQuery } from "@mantine/hooks";
import { ApiError } from "@millrace/client/api-error.ts";
import { IconHelp, IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useLocation, useNavigate, useParams } from "@tanstack/react-router";
import { lazy, type ReactNode, useState, useSyncExternalStore } from "react";
import { connection } from "../../api/connection.ts";
import { teamQuery, teamsQuery } from "../../api/queries/identity/session.ts";
import { useCaller } from "../../hooks/use-caller.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/frame.ts";
import { LateOverlay } from "../../ui/dialog/late-overlay.tsx";
import { CommandPalette } from "../command-palette/command-palette.tsx";
import { usePageKeys } from "../keys/use-page-keys.ts";
import { AccountButton } from "./account-button.tsx";
import { handbookAddress } from "./handbook-address.ts";
import { Places, usePlaces } from "./places.tsx";
import classes from "./shell.module.css";

const atOnce = { getInitialValueInEffect: false };

/**
 * Whether the navigation shows only its icons. The user's choice is stored in this browser; without one, it is collapsed on pages that need
 * the space. On phones it is drawn over the page and never collapsed.
 */
function useFoldedNavigation(): { isFolded: boolean; fold: () => void } {
  const [choice, setChoice] = useLocalStorage({ key: "millrace-navigation", defaultValue: "", getInitialValueInEffect: false });
  const isTelephone = useMediaQuery("(max-width: 47.99em)", false, atOnce);
  const isTablet = useMediaQuery("(max-width: 62em)", false, atOnce);
  const isTight = useMediaQuery("(max-width: 90em)", false, atOnce);
  const isDesigner = useParams({ strict: false }).workflow !== undefined;
  const isFolded = !isTelephone && (choice === "" ? isTablet || (isTight && isDesigner) : choice === "folded");
  return { isFolded, fold: () => setChoice(isFolded ? "open" : "folded") };
}

/** That of the address, unless it is missing or hidden: then the places of the instance are shown, so that there is a way on. */
function useKnownTeam(): string | undefined {
  const { team } = useParams({ strict: false });
  const { data, error } = useQuery({ ...teamQuery(team ?? ""), enabled: team !== undefined });
  const isMissing = data === undefined && error instanceof ApiError && (error.status === 404 || error.status === 403);
  return isMissing ? undefined : team;
}

const KeysHelp = lazy(async () => ({ default: (await import("../keys/keys-help.tsx")).KeysHelp }));

/** The frame of every page: the navigation of the team, the team selection, and the account menu. */
export function Shell({ children }: { children: ReactNode }) {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const [isHelp, help] = useDisclosure(false);
  const { isFolded, fold } = useFoldedNavigation();
  const team = useKnownTeam();
  const places = usePlaces(team);
  usePageKeys({ places, onHelp: help.open, onFold: fold });
  return (
    <div className={classes.frame} data-folded={isFolded || undefined}>
      <a className={classes.skip} href="#main">
        {t("shell.skipContent")}
      </a>
      <header className={classes.head}>
        <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={t("shell.navigation")} />
        <ProductName />
        <TeamSwitch team={team} />
        <div style={{ flex: 1 }} />
        <CommandPalette team={team} />
        <HandbookLink />
        <Account onHelp={help.open} />
      </header>
      <nav className={classes.navigation} data-open={isOpen || undefined} aria-label={t("shell.main")}>
        <ScrollArea className={classes.places}>
          <Places team={team} isFolded={isFolded} onChoose={close} />
        </ScrollArea>
        <FoldButton isFolded={isFolded} onClick={fold} />
      </nav>
      <main className={classes.main} id="main" tabIndex={-1}>
        <ConnectionBanner />
        <PlatformMessage />
        {children}
      </main>
      {isHelp && (
        <LateOverlay onClose={help.close}>
          <KeysHelp places={places} onClose={help.close} />
        </LateOverlay>
      )}
    </div>
  );
}

/** Collapses the navigation to icons, which leaves more space for a canvas or a wide table. */
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
  const { name } = useCaller().platform;
  return (
    <Text component={Link} to={paths.home()} fw={500} className={classes.name} aria-label={name || t("shell.millrace")}>
      <Logo /> <span>{name || "Millrace"}</span>
    </Text>
  );
}

/** The logo of `icon.svg`, inlined, because the file would be another request of each page. */
function Logo() {
  return (
    <svg viewBox="0 0 32 32" width={20} height={20} aria-hidden>
      <rect width="32" height="32" rx="7" className={classes.logo} />
      <path d="M7 11c3 0 3 4 6 4s3-4 6-4 3 4 6 4M7 18c3 0 3 4 6 4s3-4 6-4 3 4 6 4" className={classes.waves} />
    </svg>
  );
}

/**
 * Links to the handbook page about this page. It opens beside the page, so that edits are kept. On phones the link is in the account menu.
 */
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

const importMenu = () => import("./own-menu.tsx");
const OwnMenu = lazy(async () => ({ default: (await importMenu()).OwnMenu }));

/** The account menu is loaded when the pointer or the focus comes near. */
function Account({ onHelp }: { onHelp: () => void }) {
  const [isWanted, { open, close }] = useDisclosure(false);
  // If loading fails, the click that follows shows the error.
  const load = () => void importMenu().catch(() => undefined);
  const button = <AccountButton aria-haspopup="menu" aria-expanded={false} onClick={open} onFocus={load} onPointerEnter={load} />;
  if (!isWanted) return button;
  return (
    <LateOverlay onClose={close} fallback={button}>
      <OwnMenu onHelp={onHelp} />
    </LateOverlay>
  );
}

/** The current team, and the way to the others: the service looks for what is typed among all of them. */
function TeamSwitch({ team }: { team: string | undefined }) {
  const [typed, setTyped] = useState("");
  const [isOpen, setOpen] = useState(false);
  // Few users switch teams, so the list is loaded only when the pointer or the focus comes near.
  const [isNear, { open: comeNear }] = useDisclosure(false);
  const [search] = useDebouncedValue(isOpen ? typed : "", 200);
  const { data: own } = useQuery({ ...teamQuery(team ?? ""), enabled: team !== undefined });
  const shown = own?.displayName || team;
  // The field contains the selected team's name until the user types: that isn't a search.
  const { data } = useQuery({ ...teamsQuery(search === shown ? "" : search), enabled: isNear });
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
      onFocus={comeNear}
      onPointerEnter={comeNear}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      nothingFoundMessage={data && t("teamSwitch.noTeamName")}
      onChange={(chosen) => chosen && void navigate({ to: paths.workflows(chosen) })}
    />
  );
}

/** Says that the service is unreachable or that the session has ended. Disappears when that is resolved; unsaved input is kept. */
function ConnectionBanner() {
  const state = useSyncExternalStore(connection.subscribe, connection.get);
  const { href } = useLocation();
  return (
    <div role="status" className={classes.connection} data-state={state}>
      {state === "offline" && t("connectionBanner.offline")}
      {state === "signedOut" && t.rich("connectionBanner.signedOut", { a: (chunks) => <a href={paths.signIn(href, true)}>{chunks}</a> })}
    </div>
  );
}

/** Messages of the service for every page, e.g. that scripts run without isolation. */
function PlatformMessage() {
  const { kind, title, message } = useCaller().platform.message ?? {};
  if (!message) return null;
  return (
    <Alert color={kind === "warning" ? "yellow" : "gray"} variant="light" radius={0} py={6} role="status" title={title}>
      {message}
    </Alert>
  );
}
