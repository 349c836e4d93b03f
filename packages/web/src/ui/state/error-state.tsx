import { Alert, Button, Group, Text } from "@mantine/core";
import { ApiError, messageOf } from "../../api/api-error.ts";
import { t } from "../../texts/ui.ts";

const titles: Readonly<Record<number, string>> = {
  0: t("errorState.noConnection"),
  403: t("errorState.dontHaveAccess"),
  404: t("errorState.notFound"),
  429: t("errorState.tooManyRequests"),
};

/** Instead of what could not be loaded: what went wrong, in the words of the service, and how to go on. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const status = error instanceof ApiError ? error.status : undefined;
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <Alert
      m="md"
      color="red"
      variant="outline"
      title={titles[status ?? -1] ?? t("errorState.couldntLoad")}
      role="alert"
      styles={{ label: { color: "var(--status-failed)" } }}
    >
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
