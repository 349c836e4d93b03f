import { Anchor, Button, Group, Progress, Stack, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { messageOf } from "../../../api/api-error.ts";
import { type BulkOperation, bulkFailuresQuery, bulkQuery, cancelBulk } from "../../../api/queries/run/run-bulk.ts";
import { shortId } from "../../../components/run-words.ts";
import { useRights } from "../../../hooks/use-caller.ts";
import { useRenew } from "../../../hooks/use-renew.ts";
import { paths } from "../../../paths.ts";
import { outcomeOf } from "../../../texts/language.ts";
import { t } from "../../../texts/run/bulk.ts";
import { ActionButton } from "../../../ui/dialog/action-button.tsx";
import { PlaceLink } from "../../../ui/page-header.tsx";
import { QueryView } from "../../../ui/state/not-loaded.tsx";
import classes from "./bulk.module.css";

interface BulkProgressProps {
  team: string;
  id: string;
  onClose: () => void;
}

/**
 * The live progress of a bulk operation: what was done, and what could not be done and why. The operation continues when the dialog is
 * closed.
 */
export function BulkProgress({ team, id, onClose }: BulkProgressProps) {
  return (
    <QueryView query={useQuery(bulkQuery(team, id))} label={t("bulkProgress.loading")} rows={3}>
      {(operation) => <Shown team={team} operation={operation} onClose={onClose} />}
    </QueryView>
  );
}

function Shown({ team, operation, onClose }: { team: string; operation: BulkOperation; onClose: () => void }) {
  const { id, status, total, done, failed, left } = operation;
  const client = useQueryClient();
  const renew = useRenew();
  const rights = useRights(team);
  const cancel = useMutation({
    mutationFn: () => cancelBulk(team, id),
    onSuccess: (answer) => client.setQueryData(bulkQuery(team, id).queryKey, answer),
  });
  // The list below must show the final state, even if the stream hasn't reported every run.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the operation has ended
  useEffect(() => {
    if (status !== "running") void renew(["runs", "run-counts"], team);
  }, [status, team]);
  return (
    <Stack gap="sm">
      <Text role="status" fw={500}>
        {t(`bulkProgress.${status}`, { done, total })}
      </Text>
      <Progress.Root size="lg" aria-hidden>
        <Progress.Section value={(done / Math.max(1, total)) * 100} color="var(--status-succeeded)" />
        <Progress.Section value={(failed / Math.max(1, total)) * 100} color="var(--status-failed)" />
      </Progress.Root>
      <Text size="sm" className="quiet">
        {t("bulkProgress.counts", { done, failed, left })}
      </Text>
      <Failures team={team} id={id} failed={failed} />
      {cancel.error && <Text role="alert">{messageOf(cancel.error)}</Text>}
      <Group justify="flex-end" gap="xs">
        {status === "running" && (
          <ActionButton
            variant="default"
            whyNot={rights.whyNot("workflowrun/action")}
            loading={cancel.isPending}
            onClick={() => cancel.mutate()}
          >
            {t("bulkProgress.stop")}
          </ActionButton>
        )}
        <Button onClick={onClose}>{t("bulkProgress.close")}</Button>
      </Group>
    </Stack>
  );
}

/** The runs that were refused or failed, each with a link. */
function Failures({ team, id, failed }: { team: string; id: string; failed: number }) {
  const { data } = useQuery(bulkFailuresQuery(team, id, failed));
  if (data === undefined || failed === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keyboard
    <ul className={classes.failures} tabIndex={0} aria-label={t("bulkProgress.failures")}>
      {data.content.map(({ workflowRunRef, message }) => (
        <li key={workflowRunRef}>
          <Anchor component={PlaceLink} to={paths.run(team, workflowRunRef)} className="code" size="sm">
            {shortId(workflowRunRef)}
          </Anchor>{" "}
          {message !== undefined && outcomeOf(message)}
        </li>
      ))}
      {failed > data.content.length && <li className="quiet">{t("bulkProgress.more", { count: failed - data.content.length })}</li>}
    </ul>
  );
}
