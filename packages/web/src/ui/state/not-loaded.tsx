import { Alert, Button, Group, Skeleton, Stack, Text } from "@mantine/core";
import { ApiError } from "@millrace/client/api-error.ts";
import { onlineManager } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState, useSyncExternalStore } from "react";
import { messageOf } from "../../api/api-error.ts";
import { recheckSession } from "../../api/connection.ts";
import { t } from "../../texts/ui.ts";

const titles = {
  0: "errorState.noConnection",
  403: "errorState.dontHaveAccess",
  404: "errorState.notFound",
  429: "errorState.tooManyRequests",
} as const;
const titleOf = (status = -1) => t(status in titles ? titles[status as keyof typeof titles] : "errorState.couldntLoad");

/** Instead of what could not be loaded: what went wrong, in the words of the service, and how to continue. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const status = error instanceof ApiError ? error.status : undefined;
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <Alert m="md" color="red" variant="outline" title={titleOf(status)} role="alert" styles={{ label: { color: "var(--status-failed)" } }}>
      <Text size="md">{messageOf(error)}</Text>
      <Group mt="sm" gap="md">
        {onRetry && status !== 404 && status !== 403 && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {t("errorState.tryAgain")}
          </Button>
        )}
        {requestId && (
          <Text size="xs" className="quiet">
            {t("errorState.request", { requestId })}
          </Text>
        )}
      </Group>
    </Alert>
  );
}

/** The part of a query's result that is needed here. Several queries are combined by their caller, without a retry. */
export interface QueryResult<Data> {
  data: Data | undefined;
  error: unknown;
  refetch?: () => unknown;
}

interface NotLoadedProps {
  query: QueryResult<unknown>;
  /** What is loading, e.g. `Loading tokens`. */
  label: string;
  rows?: number;
}

/**
 * Replaces the content of a query: shows that it is loading, or why that failed. Renders nothing once there is data, even if a later
 * request failed.
 */
export function NotLoaded({ query, label, rows = 5 }: NotLoadedProps) {
  const { data, error, refetch } = query;
  if (data !== undefined) return null;
  if (error === null) return <Loading label={label} rows={rows} />;
  return <ErrorState error={error} {...(refetch && { onRetry: () => void refetch() })} />;
}

/** Without a connection nothing loads; this is said where the rows would appear. */
function Loading({ label, rows }: { label: string; rows: number }) {
  const isOnline = useSyncExternalStore(
    (tell) => onlineManager.subscribe(tell),
    () => onlineManager.isOnline(),
  );
  if (isOnline) return <LoadingState label={label} rows={rows} />;
  return (
    <Text p="md" className="quiet" role="status">
      {t("errorState.waitsForConnection")}
    </Text>
  );
}

interface QueryViewProps<Data> {
  query: QueryResult<Data>;
  /** What is loading, e.g. `Loading tokens`. */
  label: string;
  rows?: number;
  children: (data: Data) => ReactNode;
}

/** Shows the data of a query once it is loaded. */
export function QueryView<Data>({ query, children, ...rest }: QueryViewProps<Data>) {
  return query.data === undefined ? <NotLoaded query={query} {...rest} /> : children(query.data);
}

/** After so long without an answer, a reader wants to know that it is not the page that is stuck. */
const lateMs = 4_000;

function useIsLate(): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      setLate(true);
      // A request that hangs is no error: without this, the page would not notice that the service can't be reached.
      recheckSession();
    }, lateMs);
    return () => clearTimeout(timer);
  }, []);
  return isLate;
}

/** Placeholder rows of the expected size while something loads, with a text for screen readers; for everyone if it takes long. */
export function LoadingState({ label = t("loadingState.loading"), rows = 5 }: { label?: string; rows?: number }) {
  const isLate = useIsLate();
  return (
    <Stack gap="xs" p="md" role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all rows are the same
        <Skeleton key={row} height={24} />
      ))}
      {isLate && <Text className="quiet">{t("loadingState.late")}</Text>}
    </Stack>
  );
}
