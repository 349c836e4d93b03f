import { Box, Tabs } from "@mantine/core";
import { SubscriptionSection } from "../../components/subscriptions/subscription-section.tsx";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { useTeam } from "../../hooks/use-team.ts";
import { t } from "../../texts/integrations.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { PlatformsSection } from "./platforms-section.tsx";

/** The team's connections: a codehost, the chat, and the receivers of its events. */
export function IntegrationsPage() {
  const team = useTeam();
  const [{ tab }, change] = useSearchState({ tab: "events", subscription: "", status: "", page: 0, delivery: "" });
  return (
    <>
      <PageHeader title={t("integrationsPage.integrations")} detail={t("integrationsPage.notificationsConnectedServices")} />
      <Tabs
        value={tab}
        onChange={(next) => next && change({ tab: next, subscription: "", status: "", page: 0, delivery: "" }, { replace: false })}
      >
        <Tabs.List px="xs" aria-label={t("integrationsPage.integrationTypes")}>
          <Tabs.Tab value="events">{t("integrationsPage.outgoingEvents")}</Tabs.Tab>
          <Tabs.Tab value="platforms">{t("integrationsPage.gitHostingChat")}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value={tab}>
          <Box p="md">{tab === "platforms" ? <PlatformsSection team={team} /> : <SubscriptionSection team={team} />}</Box>
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
