import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { integrationsQuery } from "../../api/queries/integrations.ts";
import { ErrorState } from "../../ui/state/error-state.tsx";
import { LoadingState } from "../../ui/state/loading-state.tsx";
import { ChatPlatform } from "./chat-platform.tsx";
import { CodehostPlatform } from "./codehost-platform.tsx";

/** The platforms that the instance can be connected to, and how the team has them. */
export function PlatformsSection({ team }: { team: string }) {
  const { data, error, refetch } = useQuery(integrationsQuery(team));
  if (data === undefined)
    return error === null ? <LoadingState label="Loading integrations" /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <Stack gap="md">
      {data.map((one) =>
        one.id === "chat" ? (
          <ChatPlatform key={one.id} team={team} integration={one} />
        ) : (
          <CodehostPlatform key={one.id} team={team} integration={one} />
        ),
      )}
    </Stack>
  );
}
