import { Anchor, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, call } from "../../api/client.ts";
import { type Integration, installationQuery } from "../../api/queries/integrations.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { t } from "../../texts/integrations.ts";
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
      {t("codehostPlatform.unlink")}
    </ActionButton>
  );
  return (
    <Platform integration={integration} keys={keys} actions={actions}>
      {isLinked && <Installation team={team} />}
      {!isLinked && integration.isConfigured && (
        <>
          <Text size="sm">
            {t.rich("codehostPlatform.installAppOrganisation", {
              link: (chunks) => (
                <Anchor size="sm" href={integration.link} target="_blank" rel="noopener noreferrer">
                  {chunks}
                </Anchor>
              ),
            })}
          </Text>
          <LinkForm
            label={t("codehostPlatform.installationNumber")}
            description={t("codehostPlatform.installationNumberHelp")}
            whyNot={why}
            link={link}
          />
        </>
      )}
      <UnlinkDialog
        name={t("codehostPlatform.codehost")}
        isOpen={isUnlinking}
        onClose={() => setUnlinking(false)}
        consequence={t("codehostPlatform.eventsNoLongerStart")}
        unlink={unlink}
      />
    </Platform>
  );
}

function Installation({ team }: { team: string }) {
  const query = useQuery(installationQuery(team));
  const { data } = query;
  if (data === undefined) return <NotLoaded query={query} label={t("codehostPlatform.loadingCodeHost")} rows={3} />;
  return (
    <dl className={classes.facts}>
      <dt>{t("codehostPlatform.organisation")}</dt>
      <dd>
        {data.orgUrl.startsWith("https://") ? (
          <Anchor size="sm" href={data.orgUrl} target="_blank" rel="noopener noreferrer">
            {data.orgSlug}
          </Anchor>
        ) : (
          data.orgSlug
        )}
      </dd>
      <dt>{t("codehostPlatform.installation")}</dt>
      <dd className="code">{data.installationId}</dd>
      <dt>{t("codehostPlatform.events")}</dt>
      <dd>{data.events.join(", ") || t("codehostPlatform.noneReportedYet")}</dd>
      <dt>{t("codehostPlatform.repositories")}</dt>
      <dd>{data.repositories.join(", ") || t("codehostPlatform.noneReportedYet")}</dd>
    </dl>
  );
}
