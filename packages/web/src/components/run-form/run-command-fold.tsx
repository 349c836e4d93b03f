import { Stack, Text } from "@mantine/core";
import type { Workflow } from "../../api/queries/workflows.ts";
import { t } from "../../texts/run-form.ts";
import { CopyField } from "../../ui/copy-field.tsx";
import { Fold } from "../../ui/fold.tsx";
import { curlCommand, secretPlaceholder } from "./run-command.ts";
import type { SubmitRequest } from "./use-run-submission.ts";

interface RunCommandFoldProps {
  team: string;
  workflow: Workflow;
  body: SubmitRequest;
  isStartedNow: boolean;
}

/** Exactly this submission for a shell. Secrets are left out of it. */
export function RunCommandFold({ team, workflow, body, isStartedNow }: RunCommandFoldProps) {
  const path = `/api/v2/team/${encodeURIComponent(team)}/workflow/${encodeURIComponent(workflow.name)}/submit`;
  const command = curlCommand({
    url: `${window.location.origin}${path}${isStartedNow ? "?start=true" : ""}`,
    body: withoutSecrets(workflow, body),
  });
  return (
    <Fold title={t("runCommandFold.showCurlCommand")}>
      <Stack gap="xs">
        <Text size="sm" className="quiet">
          {t("runCommandFold.submitsSameRunToken")}
        </Text>
        <CopyField value={command} label={t("runCommandFold.command")} />
      </Stack>
    </Fold>
  );
}

function withoutSecrets(workflow: Workflow, body: SubmitRequest): SubmitRequest {
  const secrets = new Set((workflow.params ?? []).filter(({ type }) => type === "password").map(({ name }) => name));
  if (secrets.size === 0 || !body.params) return body;
  return { ...body, params: body.params.map((param) => (secrets.has(param.name) ? { ...param, value: secretPlaceholder } : param)) };
}
