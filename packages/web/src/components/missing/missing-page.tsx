import { Button, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { ApiError } from "@millrace/client/api-error.ts";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy } from "react";
import { teamQuery } from "../../api/queries/identity/session.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/missing.ts";
import { LateOverlay } from "../../ui/dialog/late-overlay.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import classes from "./missing-page.module.css";

const PaletteDialog = lazy(async () => ({ default: (await import("../command-palette/palette-list.tsx")).PaletteDialog }));

/** What a page is about, as its address names it. */
export interface Sought {
  kind: "page" | "team" | "workflow" | "run" | "action" | "task" | "template";
  name: string;
  /** In which it would be; undefined for what belongs to the instance. */
  team?: string | undefined;
}

interface MissingPageProps {
  sought: Sought;
  /** What the service answered, if it was asked. */
  error?: unknown;
}

/** Instead of a page that can't be shown: what was looked for, why it may be missing, and the ways from here. */
export function MissingPage({ sought, error }: MissingPageProps) {
  const { kind, name } = sought;
  // Of a team that is missing, everything else is missing too.
  const team = kind === "team" ? undefined : sought.team;
  const { data } = useQuery({ ...teamQuery(team ?? ""), enabled: team !== undefined });
  const teamName = data?.displayName || team || "";
  const isForbidden = error instanceof ApiError && error.status === 403;
  const { requestId, errors = [] } = error instanceof ApiError ? error : {};
  // Of history, the service knows whether it was removed because of its age.
  const why = (!isForbidden && errors[0]?.message) || t(isForbidden ? "why.forbidden" : `why.${kind}`);
  const [isSearching, search] = useDisclosure(false);
  const shownName = () => <code data-foreign>{name}</code>;
  return (
    <>
      <PageHeader title={t(isForbidden ? "title.forbidden" : `title.${kind}`)} />
      <Stack className={classes.page} gap="sm" px="md" role="alert">
        {isForbidden ? (
          <Text>{error.message}</Text>
        ) : (
          <Text>
            {t.rich(kind === "task" && team === undefined ? "sought.globalTask" : `sought.${kind}`, { name: shownName, team: teamName })}
          </Text>
        )}
        <Text className="quiet">{why}</Text>
        <Group gap="xs" mt="xs">
          <ListButton kind={kind} team={team} teamName={teamName} />
          <Button component={Link} to={paths.home()} size="xs" variant={hasList(kind, team) ? "default" : "filled"}>
            {t("ways.home")}
          </Button>
          <Button size="xs" variant="default" aria-keyshortcuts="Control+K Meta+K" onClick={search.open}>
            {t("ways.search")}
          </Button>
        </Group>
        {requestId && (
          <Text size="xs" className="quiet">
            {t("ways.request", { requestId })}
          </Text>
        )}
      </Stack>
      {isSearching && (
        <LateOverlay onClose={search.close}>
          <PaletteDialog team={team} onClose={search.close} />
        </LateOverlay>
      )}
    </>
  );
}

const lists = {
  workflow: ["ways.workflows", paths.workflows],
  run: ["ways.activity", paths.activity],
  action: ["ways.actions", paths.actions],
  task: ["ways.tasks", paths.teamTasks],
  page: ["ways.workflows", paths.workflows],
} as const;

const hasList = (kind: Sought["kind"], team: string | undefined) =>
  kind === "template" || kind === "task" || (kind !== "team" && team !== undefined);

/** To the list in which it would be. */
function ListButton({ kind, team, teamName }: { kind: Sought["kind"]; team: string | undefined; teamName: string }) {
  const button = (to: string, words: string) => (
    <Button component={Link} to={to} size="xs">
      {words}
    </Button>
  );
  if (kind === "template") return button(paths.templates(), t("ways.templates"));
  if (kind === "team") return null;
  if (team === undefined) return kind === "task" ? button(paths.globalTasks(), t("ways.globalTasks")) : null;
  const [words, to] = lists[kind];
  return button(to(team), t(words, { team: teamName }));
}
