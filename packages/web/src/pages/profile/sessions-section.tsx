import { Badge, Button, Group, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../../api/api-error.ts";
import { api, call } from "../../api/client.ts";
import { sessionsQuery } from "../../api/queries/session.ts";
import type { components } from "../../api/schema.generated.ts";
import { useApiMutation } from "../../hooks/use-api-mutation.ts";
import { t } from "../../texts/profile.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { EmptyState } from "../../ui/state/empty-state.tsx";
import { NotLoaded } from "../../ui/state/not-loaded.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import { browserName } from "./browser-name.ts";
import classes from "./profile.module.css";

type Session = components["schemas"]["Session"];

/** The browsers in which one is signed in; each can be signed out from here, at once. */
export function SessionsSection() {
  const query = useQuery(sessionsQuery);
  const { data } = query;
  if (data === undefined) return <NotLoaded query={query} label={t("sessionsSection.loadingSessions")} />;
  if (data.length === 0) {
    return (
      <EmptyState title={t("sessionsSection.noSessions")}>
        <Text className="quiet">{t("sessionsSection.signedTokenThroughProxy")}</Text>
      </EmptyState>
    );
  }
  return <SessionTable sessions={data} />;
}

function useEndSessions() {
  const end = async (ids: readonly string[]) => {
    for (const sessionId of ids) await call(api.DELETE("/api/v2/auth/sessions/{sessionId}", { params: { path: { sessionId } } }));
  };
  return useApiMutation({ changes: ["sessions"], evenRefused: true, mutationFn: end });
}

function SessionTable({ sessions }: { sessions: readonly Session[] }) {
  const end = useEndSessions();
  const [isAsking, setAsking] = useState(false);
  const others = sessions.filter(({ current }) => !current).map(({ id }) => id);
  return (
    <>
      <Group justify="space-between" mb="sm" gap="xs">
        <Text size="sm" className="quiet">
          {t("sessionsSection.endingSessionTakesEffect")}
        </Text>
        <ActionButton
          size="xs"
          variant="default"
          whyNot={others.length === 0 ? t("sessionsSection.thereNoSessions") : undefined}
          onClick={() => setAsking(true)}
        >
          {t("sessionsSection.endAllSessions")}
        </ActionButton>
      </Group>
      {end.error !== null && (
        <Text role="alert" size="sm" c="var(--status-failed)">
          {messageOf(end.error)}
        </Text>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by keyboard */}
      <section className={classes.box} tabIndex={0} aria-label={t("sessionsSection.sessions")}>
        <Table horizontalSpacing="sm" verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("sessionsSection.browser")}</Table.Th>
              <Table.Th>{t("sessionsSection.from")}</Table.Th>
              <Table.Th>{t("sessionsSection.lastUsed")}</Table.Th>
              <Table.Th>{t("sessionsSection.signed")}</Table.Th>
              <Table.Th>{t("sessionsSection.expires")}</Table.Th>
              <Table.Th>
                <span className="only-heard">{t("sessionsSection.actions")}</span>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {sessions.map((session) => (
              <SessionRow key={session.id} session={session} onEnd={() => end.mutate([session.id])} />
            ))}
          </Table.Tbody>
        </Table>
      </section>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={t("sessionsSection.endAllSessions")}
        action={t("sessionsSection.end1SessionEnd", { count: others.length })}
        isDangerous
        onConfirm={() => end.mutateAsync(others)}
      >
        {t("sessionsSection.allBrowsersSignedOut")}
      </ConfirmDialog>
    </>
  );
}

function SessionRow({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const { userAgent, address, lastUsedDate, creationDate, expirationDate, current } = session;
  const browser = browserName(userAgent);
  return (
    <Table.Tr>
      <Table.Td title={userAgent ?? undefined}>
        {browser}
        {current && (
          <Badge size="sm" fz={12} miw="max-content" variant="default" ml="xs" tt="none" fw={400}>
            {t("sessionsSection.session")}
          </Badge>
        )}
      </Table.Td>
      <Table.Td>{address ?? "–"}</Table.Td>
      <Table.Td>
        <TimeText at={lastUsedDate} />
      </Table.Td>
      <Table.Td>
        <TimeText at={creationDate} />
      </Table.Td>
      <Table.Td>
        <TimeText at={expirationDate} />
      </Table.Td>
      <Table.Td ta="right">
        {!current && (
          <Button size="compact-xs" variant="default" aria-label={t("sessionsSection.endSession", { browser })} onClick={onEnd}>
            {t("sessionsSection.end")}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
