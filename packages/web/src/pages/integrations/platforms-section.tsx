import { Anchor, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, call } from "../../api/client.ts";
import { type Integration, installationQuery, integrationsQuery, workspacesQuery } from "../../api/queries/integrations.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { NotLoaded } from "../../ui/state/not-loaded.tsx";
import { LinkForm, Platform, UnlinkDialog } from "./platform.tsx";
import classes from "./platforms.module.css";

/** The platforms that the instance can be connected to, and how the team has them. */
export function PlatformsSection({ team }: { team: string }) {
  const query = useQuery(integrationsQuery(team));
  const { data } = query;
  if (data === undefined) return <NotLoaded query={query} label="Loading integrations" />;
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

/** The chat: people start and follow workflows from it, decide approvals there, and are told of events. */
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
      Unlink
    </ActionButton>
  );
  return (
    <Platform integration={integration} keys={chatKeys} actions={actions}>
      {isLinked && (
        <Text size="sm">
          {workspaces.find(({ teams }) => teams.includes(team))?.name ?? "A workspace"} can use this team: its members can do there what
          they can do here. Type <code>/millrace list</code> to begin.
        </Text>
      )}
      {!isLinked && integration.isConfigured && (
        <>
          <Text size="sm">
            <Anchor size="sm" href={integration.link}>
              Add the app to your workspace
            </Anchor>
            , then link the workspace. The first link of a workspace needs an administrator.
          </Text>
          <LinkForm
            label="Workspace"
            description="The platform's workspace ID, such as T0HAWKS"
            known={workspaces.map(({ ref }) => ref)}
            whyNot={why}
            link={link}
          />
        </>
      )}
      <UnlinkDialog
        name="the chat"
        isOpen={isUnlinking}
        onClose={() => setUnlinking(false)}
        consequence="The workspace can no longer use this team, and no events are posted there."
        unlink={unlink}
      />
    </Platform>
  );
}

const codehostKeys = ["codehost.appName", "codehost.appId", "codehost.pem", "codehost.webhookSecret"];

/** The codehost: its events start workflows, runs are shown at commits, tasks get tokens for its repositories. */
function CodehostPlatform({ team, integration }: { team: string; integration: Integration }) {
  const why = useRights(team).whyNot("integration/write");
  const [isUnlinking, setUnlinking] = useState(false);
  const isLinked = integration.status === "linked";
  const link = (ref: string) => call(api.POST("/api/v2/integration/codehost/link", { body: { ref, team } }));
  const unlink = () => call(api.POST("/api/v2/integration/codehost/unlink", { body: { ref: integration.ref ?? "", team } }));
  const actions = isLinked && (
    <ActionButton size="xs" variant="default" whyNot={why} onClick={() => setUnlinking(true)}>
      Unlink
    </ActionButton>
  );
  return (
    <Platform integration={integration} keys={codehostKeys} actions={actions}>
      {isLinked && <Installation team={team} />}
      {!isLinked && integration.isConfigured && (
        <>
          <Text size="sm">
            <Anchor size="sm" href={integration.link} target="_blank" rel="noopener noreferrer">
              Install the app on your organisation
            </Anchor>{" "}
            and select the repositories that it can access. Then link the installation within an hour; after that, ask an administrator.
          </Text>
          <LinkForm label="Installation number" description="The last part of the URL after the installation" whyNot={why} link={link} />
        </>
      )}
      <UnlinkDialog
        name="the codehost"
        isOpen={isUnlinking}
        onClose={() => setUnlinking(false)}
        consequence="Events no longer start workflows of this team, and tasks get no tokens for these repositories."
        unlink={unlink}
      />
    </Platform>
  );
}

function Installation({ team }: { team: string }) {
  const query = useQuery(installationQuery(team));
  const { data } = query;
  if (data === undefined) return <NotLoaded query={query} label="Loading from the code host" rows={3} />;
  return (
    <dl className={classes.facts}>
      <dt>Organisation</dt>
      <dd>
        {data.orgUrl.startsWith("https://") ? (
          <Anchor size="sm" href={data.orgUrl} target="_blank" rel="noopener noreferrer">
            {data.orgSlug}
          </Anchor>
        ) : (
          data.orgSlug
        )}
      </dd>
      <dt>Installation</dt>
      <dd className="code">{data.installationId}</dd>
      <dt>Events</dt>
      <dd>{data.events.join(", ") || "None reported yet"}</dd>
      <dt>Repositories</dt>
      <dd>{data.repositories.join(", ") || "None reported yet"}</dd>
    </dl>
  );
}
