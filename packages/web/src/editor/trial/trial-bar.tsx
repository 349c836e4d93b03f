import { Alert, Anchor, Button, CloseButton, Group, Text } from "@mantine/core";
import { isRunOver } from "@millrace/contract/run/run-rules.ts";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../../api/api-error.ts";
import { cancelTry } from "../../api/queries/task/task-catalog.ts";
import { useRenew } from "../../hooks/use-renew.ts";
import { paths } from "../../paths.ts";
import { sentenceOf } from "../../texts/language.ts";
import { t } from "../../texts/workflow/trial.ts";
import { StatusMark } from "../../ui/mark/status-mark.tsx";
import { useDraft } from "../draft/draft-context.ts";
import { useTrial } from "./trial-context.ts";
import type { StartedTrial } from "./trial-state.ts";

/** The status of the newest trial. Says that it isn't a run of the saved workflow. */
export function TrialBar() {
  const { latest, error, forgetError } = useTrial();
  const [closed, setClosed] = useState<string>();
  return (
    <>
      {error !== null && error !== undefined && (
        <Alert
          color="red"
          variant="outline"
          mx="md"
          my={8}
          py={8}
          role="alert"
          withCloseButton
          onClose={forgetError}
          closeButtonLabel={t("trialBar.close")}
        >
          <Text size="sm">{t("trialBar.refused", { message: messageOf(error) })}</Text>
        </Alert>
      )}
      {latest && latest.started.id !== closed && <Latest key={latest.started.id} onClose={() => setClosed(latest.started.id)} />}
    </>
  );
}

function Latest({ onClose }: { onClose: () => void }) {
  const { team } = useDraft();
  const { latest } = useTrial();
  const renew = useRenew();
  const id = latest?.started.id ?? "";
  const cancel = useMutation({ mutationFn: () => cancelTry(team, id), onSettled: () => renew(["run"], team, id) });
  if (!latest) return null;
  const { run, started } = latest;
  const isOver = run !== undefined && isRunOver(run);
  return (
    <Alert color="gray" variant="light" mx="md" my={8} py={4}>
      <Group gap="sm" role="status">
        <Text size="sm" fw={500}>
          {titleOf(started)}
        </Text>
        {run && <StatusMark status={run.status} phase={run.phase} waitKinds={run.waitKinds} />}
        {run?.statusMessage && <Text size="sm">{sentenceOf(run.statusMessage)}</Text>}
        {/* Opening it in the same tab would leave the draft. */}
        <Anchor href={paths.run(team, id)} target="_blank" size="sm">
          {t("trialBar.openRun")}
        </Anchor>
        {run && !isOver && (
          <Button size="compact-xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
            {t("trialBar.cancel")}
          </Button>
        )}
        <CloseButton size="sm" ml="auto" aria-label={t("trialBar.close")} onClick={onClose} />
      </Group>
    </Alert>
  );
}

function titleOf({ scope, isOfDraft }: StartedTrial): string {
  if ("only" in scope) return t("trialBar.only", { name: String(scope.only) });
  if ("upTo" in scope) return t("trialBar.upTo", { name: String(scope.upTo) });
  return t(isOfDraft ? "trialBar.draft" : "trialBar.saved");
}
