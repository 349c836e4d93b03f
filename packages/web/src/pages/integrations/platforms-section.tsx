import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { integrationsQuery } from "../../api/queries/integrations.ts";
import { t } from "../../texts/integrations.ts";
import { NotLoaded } from "../../ui/state/not-loaded.tsx";
import { ChatPlatform } from "./chat-platform.tsx";
import { CodehostPlatform } from "./codehost-platform.tsx";

/** The platforms that the instance can be connected to, and how the team has them. */
export function PlatformsSection({ team }: { team: string }) {
  const query = useQuery(integrationsQuery(team));
  const { data } = query;
  if (data === undefined) return <NotLoaded query={query} label={t("platformsSection.loadingIntegrations")} />;
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
