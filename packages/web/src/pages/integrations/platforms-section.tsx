import { Anchor, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, call } from "../../api/client.ts";
import { type Integration, installationQuery, integrationsQuery, workspacesQuery } from "../../api/queries/integrations.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { t } from "../../texts/integrations.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { NotLoaded } from "../../ui/state/not-loaded.tsx";
import { LinkForm, Platform, UnlinkDialog } from "./platform.tsx";
import classes from "./platforms.module.css";

/** The platforms that the instance can be connected to, and the team's link to each. */
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

const chatKeys = ["chat.signingSecret", "chat.clientId", "chat.clientSecret", "chat.installURL"];

/** The chat: people start and follow workflows from it, decide approvals there, and get notified of events. */
function ChatPlatform({ team, integration }: { team: string; integration: Integration }) {
  const why = useRights(team).whyNot("integration/write");
  const ofInstance = useRights();
  const { data: workspaces = [] } = useQuery({ ...workspacesQuery, enabled: ofInstance.may("integration/read") });
  const [isUnlinking, setUnlinking] = useState(false);
  const isLinked = integration.status === "linked";
  const link = (ref: string) => call(api.POST("/api/v2/integration/chat/link", { body: { ref, team } }));
  const unlink = () => call(api.POST("/api/v2/integration/chat/unlink", { body: { ref: integration.ref ?? "", team } }));
  const actions = isLinked && (
    <ActionButton size="xs" variant="default" whyNot={why} onClick={() => setUnlinking(true)}>
      {t("platformsSection.unlink")}
    </ActionButton>
  );
  return (
    <Platform integration={integration} keys={chatKeys} actions={actions}>
      {isLinked && (
        <Text size="sm">
          {t.rich("platformsSection.useTeamMembersDo", {
            name: workspaces.find(({ teams }) => teams.includes(team))?.name ?? t("platformsSection.workspace"),
            code: () => <code>/millrace list</code>,
          })}
        </Text>
      )}
      {!isLinked && integration.isConfigured && (
        <>
          <Text size="sm">
            {t.rich("platformsSection.addAppWorkspaceThen", {
              link: (chunks) => (
                <Anchor size="sm" href={integration.link}>
                  {chunks}
                </Anchor>
              ),
            })}
          </Text>
          <LinkForm
            label={t("platformsSection.workspaceLabel")}
            description={t("platformsSection.workspaceHelp")}
            missing={t("platformsSection.workspaceMissing")}
            known={workspaces.map(({ ref }) => ref)}
            whyNot={why}
            link={link}
          />
        </>
      )}
      <UnlinkDialog
        name={t("platformsSection.chat")}
        isOpen={isUnlinking}
        onClose={() => setUnlinking(false)}
        consequence={t("platformsSection.workspaceNoLongerUse")}
        unlink={unlink}
      />
    </Platform>
  );
}

const codehostKeys = ["codehost.appName", "codehost.appId", "codehost.pem", "codehost.webhookSecret"];

/** The codehost: its events start workflows, the status of runs is shown at commits, tasks get tokens for its repositories. */
function CodehostPlatform({ team, integration }: { team: string; integration: Integration }) {
  const why = useRights(team).whyNot("integration/write");
  const [isUnlinking, setUnlinking] = useState(false);
  const isLinked = integration.status === "linked";
  const link = (ref: string) => call(api.POST("/api/v2/integration/codehost/link", { body: { ref, team } }));
  const unlink = () => call(api.POST("/api/v2/integration/codehost/unlink", { body: { ref: integration.ref ?? "", team } }));
  const actions = isLinked && (
    <ActionButton size="xs" variant="default" whyNot={why} onClick={() => setUnlinking(true)}>
      {t("platformsSection.unlink")}
    </ActionButton>
  );
  return (
    <Platform integration={integration} keys={codehostKeys} actions={actions}>
      {isLinked && <Installation team={team} />}
      {!isLinked && integration.isConfigured && (
        <>
          <Text size="sm">
            {t.rich("platformsSection.installAppOrganisation", {
              link: (chunks) => (
                <Anchor size="sm" href={integration.link} target="_blank" rel="noopener noreferrer">
                  {chunks}
                </Anchor>
              ),
            })}
          </Text>
          <LinkForm
            label={t("platformsSection.installationNumber")}
            description={t("platformsSection.installationNumberHelp")}
            missing={t("platformsSection.installationNumberMissing")}
            whyNot={why}
            link={link}
          />
        </>
      )}
      <UnlinkDialog
        name={t("platformsSection.codehost")}
        isOpen={isUnlinking}
        onClose={() => setUnlinking(false)}
        consequence={t("platformsSection.eventsNoLongerStart")}
        unlink={unlink}
      />
    </Platform>
  );
}

function Installation({ team }: { team: string }) {
  const query = useQuery(installationQuery(team));
  const { data } = query;
  if (data === undefined) return <NotLoaded query={query} label={t("platformsSection.loadingCodeHost")} rows={3} />;
  return (
    <dl className={classes.facts}>
      <dt>{t("platformsSection.organisation")}</dt>
      <dd>
        {data.orgUrl.startsWith("https://") ? (
          <Anchor size="sm" href={data.orgUrl} target="_blank" rel="noopener noreferrer">
            {data.orgSlug}
          </Anchor>
        ) : (
          data.orgSlug
        )}
      </dd>
      <dt>{t("platformsSection.installation")}</dt>
      <dd className="code">{data.installationId}</dd>
      <dt>{t("platformsSection.events")}</dt>
      <dd>{data.events.join(", ") || t("platformsSection.noneReportedYet")}</dd>
      <dt>{t("platformsSection.repositories")}</dt>
      <dd>{data.repositories.join(", ") || t("platformsSection.noneReportedYet")}</dd>
    </dl>
  );
}
