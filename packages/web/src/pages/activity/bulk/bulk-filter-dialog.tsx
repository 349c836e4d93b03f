import { Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import type { RunsFilter } from "../../../api/queries/run/activity.ts";
import { startBulk, toListFilter } from "../../../api/queries/run/run-bulk.ts";
import { t } from "../../../texts/run/bulk.ts";
import { FormDialog } from "../../../ui/dialog/form-dialog.tsx";
import classes from "./bulk.module.css";
import { BulkProgress } from "./bulk-progress.tsx";
import { BulkRerunPlan, type RerunVersion } from "./bulk-rerun-plan.tsx";
import type { RunAction } from "./run-actions.ts";

interface BulkFilterDialogProps {
  team: string;
  action: RunAction;
  /** The title of the dialog, and what the action does. */
  words: { title: string; what: string };
  filter: RunsFilter;
  /** The filter in words, one line per filter; empty when it selects all runs of the team. */
  filterWords: readonly string[];
  /** The number of matching runs, as far as it is known. */
  total: number;
  /** Whether more runs match than `total`, without an exact count. */
  isMinimum: boolean;
  /** @param isStarted whether the operation was started, not dismissed */
  onClose: (isStarted: boolean) => void;
}

/**
 * Asks for confirmation before acting on all matching runs, with their number and the filter, then shows the progress. Mounted only while
 * it is open.
 */
export function BulkFilterDialog(props: BulkFilterDialogProps) {
  const { team, action, words, filter, filterWords, total, isMinimum, onClose } = props;
  const form = useForm({ initialValues: {} });
  const [started, setStarted] = useState<string>();
  const [version, setVersion] = useState<RerunVersion>("same");
  // Relative time ranges are fixed at the moment the dialog opens.
  const [listed] = useState(() => toListFilter(filter, Date.now()));
  const close = () => onClose(started !== undefined);
  const start = async () => {
    const rerun = action === "rerun" && version === "latest" ? { rerun: { version } } : {};
    const body = { action, filter: listed, ...rerun, ...(!isMinimum && { expected: total }) };
    setStarted((await startBulk(team, body)).id);
  };
  return (
    <FormDialog
      title={words.title}
      size="lg"
      form={form}
      action={t(`bulkFilterDialog.${action}`, { total })}
      isDangerous={action === "cancel"}
      {...(action === "cancel" && { labels: { cancel: t("bulkFilterDialog.keepRunning") } })}
      onSubmit={start}
      onClose={close}
      staysOpen
      result={started !== undefined && <BulkProgress team={team} id={started} onClose={close} />}
    >
      <Text fw={500}>{t(isMinimum ? "bulkFilterDialog.atLeast" : "bulkFilterDialog.all", { total })}</Text>
      {filterWords.length === 0 ? (
        <Text>{t("bulkFilterDialog.noFilter")}</Text>
      ) : (
        <ul className={classes.filter} aria-label={t("bulkFilterDialog.filter")}>
          {filterWords.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      <Text>{words.what}</Text>
      {action === "rerun" && <BulkRerunPlan team={team} filter={listed} version={version} onVersion={setVersion} />}
      <Text size="sm" className="quiet">
        {t("bulkFilterDialog.inBackground")}
      </Text>
    </FormDialog>
  );
}
