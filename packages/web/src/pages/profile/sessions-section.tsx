import { Badge, Button, Text } from "@mantine/core";
import type { components } from "@millrace/client/schema.generated.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, call } from "../../api/client.ts";
import { sessionsQuery } from "../../api/queries/identity/session.ts";
import { useApiMutation } from "../../hooks/use-renew.ts";
import { t } from "../../texts/identity/profile.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { ListSection } from "../../ui/list/list-page.tsx";
import { NotLoaded } from "../../ui/state/not-loaded.tsx";
import { EmptyState } from "../../ui/state/notice.tsx";
import { RefusalText } from "../../ui/state/refusal-alert.tsx";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import { browserName } from "./browser-name.ts";

type Session = components["schemas"]["Session"];

/** The browsers in which the user is signed in. Each can be signed out from here, with immediate effect. */
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
  const columns: Column<Session>[] = [
    { title: t("sessionsSection.browser"), cell: (session) => <Browser session={session} /> },
    { title: t("sessionsSection.from"), cell: ({ address }) => address ?? "–" },
    { title: t("sessionsSection.lastUsed"), kind: "short", cell: ({ lastUsedDate }) => <TimeText at={lastUsedDate} /> },
    { title: t("sessionsSection.signed"), kind: "short", cell: ({ creationDate }) => <TimeText at={creationDate} /> },
    { title: t("sessionsSection.expires"), kind: "short", cell: ({ expirationDate }) => <TimeText at={expirationDate} /> },
    {
      title: t("sessionsSection.actions"),
      kind: "actions",
      cell: ({ id, current, userAgent }) =>
        !current && (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={t("sessionsSection.endSession", { browser: browserName(userAgent) })}
            onClick={() => end.mutate([id])}
          >
            {t("sessionsSection.end")}
          </Button>
        ),
    },
  ];
  return (
    <ListSection
      note={t("sessionsSection.endingSessionTakesEffect")}
      actions={
        <ActionButton
          size="xs"
          variant="default"
          whyNot={others.length === 0 ? t("sessionsSection.thereNoSessions") : undefined}
          onClick={() => setAsking(true)}
        >
          {t("sessionsSection.endAllSessions")}
        </ActionButton>
      }
    >
      <RefusalText error={end.error} />
      <DataTable label={t("sessionsSection.sessions")} minWidth={720} columns={columns} rows={sessions} keyOf={({ id }) => id} />
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
    </ListSection>
  );
}

function Browser({ session: { userAgent, current } }: { session: Session }) {
  return (
    <span title={userAgent ?? undefined}>
      {browserName(userAgent)}
      {current && (
        <Badge size="sm" fz={12} miw="max-content" variant="default" ml="xs" tt="none" fw={400}>
          {t("sessionsSection.session")}
        </Badge>
      )}
    </span>
  );
}
