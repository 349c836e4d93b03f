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
  /** What the action does, and what the dialog is called. */
  words: { title: string; what: string };
  filter: RunsFilter;
  /** The filter in words, one line each; none: it is all runs of the team. */
  filterWords: readonly string[];
  /** How many match, as far as is known. */
  total: number;
  /** More match, and nobody has counted them. */
  isMinimum: boolean;
  /** @param isStarted it was not dismissed, but begun */
  onClose: (isStarted: boolean) => void;
}

/** Asks before something is done to all runs that match, by number and by filter, and then shows how far it is. Mounted while it is open. */
export function BulkFilterDialog(props: BulkFilterDialogProps) {
  const { team, action, words, filter, filterWords, total, isMinimum, onClose } = props;
  const form = useForm({ initialValues: {} });
  const [started, setStarted] = useState<string>();
  const [version, setVersion] = useState<RerunVersion>("same");
  // Spans that move with the time stand still while it is open.
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
