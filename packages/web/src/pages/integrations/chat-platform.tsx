import { Anchor, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, call } from "../../api/client.ts";
import { type Integration, workspacesQuery } from "../../api/queries/integrations.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { t } from "../../texts/integrations.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { LinkForm } from "./link-form.tsx";
import { Platform } from "./platform.tsx";
import { UnlinkDialog } from "./unlink-dialog.tsx";

const keys = ["chat.signingSecret", "chat.clientId", "chat.clientSecret", "chat.installURL"];

/** The chat: people start and follow workflows from it, decide approvals there, and are told of events. */
export function ChatPlatform({ team, integration }: { team: string; integration: Integration }) {
  const why = useRights(team).whyNot("integration/write");
  const ofInstance = useRights();
  const { data: workspaces = [] } = useQuery({ ...workspacesQuery, enabled: ofInstance.may("integration/read") });
  const [isUnlinking, setUnlinking] = useState(false);
  const isLinked = integration.status === "linked";
  const link = (ref: string) => call(api.POST("/api/v2/integration/chat/link", { body: { ref, team } }));
  const unlink = () => call(api.POST("/api/v2/integration/chat/unlink", { body: { ref: integration.ref ?? "", team } }));
  const actions = isLinked && (
    <ActionButton size="xs" variant="default" whyNot={why} onClick={() => setUnlinking(true)}>
      {t("chatPlatform.unlink")}
    </ActionButton>
  );
  return (
    <Platform integration={integration} keys={keys} actions={actions}>
      {isLinked && (
        <Text size="sm">
          {t.rich("chatPlatform.useTeamMembersDo", {
            name: workspaces.find(({ teams }) => teams.includes(team))?.name ?? t("chatPlatform.workspace"),
            code: () => <code>/millrace list</code>,
          })}
        </Text>
      )}
      {!isLinked && integration.isConfigured && (
        <>
          <Text size="sm">
            {t.rich("chatPlatform.addAppWorkspaceThen", {
              link: (chunks) => (
                <Anchor size="sm" href={integration.link}>
                  {chunks}
                </Anchor>
              ),
            })}
          </Text>
          <LinkForm
            label={t("chatPlatform.workspaceLabel")}
            description={t("chatPlatform.workspaceHelp")}
            known={workspaces.map(({ ref }) => ref)}
            whyNot={why}
            link={link}
          />
        </>
      )}
      <UnlinkDialog
        name={t("chatPlatform.chat")}
        isOpen={isUnlinking}
        onClose={() => setUnlinking(false)}
        consequence={t("chatPlatform.workspaceNoLongerUse")}
        unlink={unlink}
      />
    </Platform>
  );
}
