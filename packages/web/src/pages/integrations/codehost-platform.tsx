import { Anchor, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, call } from "../../api/client.ts";
import { type Integration, installationQuery } from "../../api/queries/integrations.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { NotLoaded } from "../../ui/state/not-loaded.tsx";
import { LinkForm } from "./link-form.tsx";
import { Platform } from "./platform.tsx";
import classes from "./platforms.module.css";
import { UnlinkDialog } from "./unlink-dialog.tsx";

const keys = ["codehost.appName", "codehost.appId", "codehost.pem", "codehost.webhookSecret"];

/** The codehost: its events start workflows, runs are shown at commits, tasks get tokens for its repositories. */
export function CodehostPlatform({ team, integration }: { team: string; integration: Integration }) {
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
    <Platform integration={integration} keys={keys} actions={actions}>
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
