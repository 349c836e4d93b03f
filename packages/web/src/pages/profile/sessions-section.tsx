import { Badge, Button, Group, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../../api/api-error.ts";
import { api, call } from "../../api/client.ts";
import { sessionsQuery } from "../../api/queries/session.ts";
import type { components } from "../../api/schema.generated.ts";
import { useApiMutation } from "../../hooks/use-api-mutation.ts";
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
  if (data === undefined) return <NotLoaded query={query} label="Loading sessions" />;
  if (data.length === 0) {
    return (
      <EmptyState title="No sessions">
        <Text className="quiet">You signed in with a token or through a proxy, which creates no session.</Text>
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
          Ending a session takes effect immediately. If a session isn't yours, end it and change your password.
        </Text>
        <ActionButton
          size="xs"
          variant="default"
          whyNot={others.length === 0 ? "There are no other sessions." : undefined}
          onClick={() => setAsking(true)}
        >
          End all other sessions
        </ActionButton>
      </Group>
      {end.error !== null && (
        <Text role="alert" size="sm" c="var(--status-failed)">
          {messageOf(end.error)}
        </Text>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by keyboard */}
      <section className={classes.box} tabIndex={0} aria-label="Sessions">
        <Table horizontalSpacing="sm" verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Browser</Table.Th>
              <Table.Th>From</Table.Th>
              <Table.Th>Last used</Table.Th>
              <Table.Th>Signed in</Table.Th>
              <Table.Th>Expires</Table.Th>
              <Table.Th>
                <span className="only-heard">Actions</span>
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
        title="End all other sessions"
        action={others.length === 1 ? "End 1 session" : `End ${others.length} sessions`}
        isDangerous
        onConfirm={() => end.mutateAsync(others)}
      >
        All other browsers are signed out. Tokens stay valid.
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
            This session
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
          <Button size="compact-xs" variant="default" aria-label={`End the session of ${browser}`} onClick={onEnd}>
            End
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
