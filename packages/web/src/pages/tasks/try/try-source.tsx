import { SegmentedControl, Title } from "@mantine/core";
import type { Task, TaskFault } from "../../../api/queries/task/tasks.ts";
import type { Param } from "../../../forms/parameter-form.tsx";
import type { YamlFault } from "../../../forms/task-form/yaml-edit.ts";
import { t } from "../../../texts/task/tasks.ts";
import { Note } from "../note.tsx";

/** A task as currently edited, not saved. */
export interface TriedDraft {
  text: string;
  params: readonly Param[];
  /** Why the text can't be parsed. */
  fault: YamlFault | undefined;
  /** The errors for which the service would reject it. */
  faults: readonly TaskFault[];
}

interface TrySourceProps {
  task: Task | undefined;
  draft: TriedDraft | undefined;
  isSaved: boolean;
  onSaved: (isSaved: boolean) => void;
}

/** Shows what is going to run: the draft or the saved version. If both exist, the user selects one. */
export function TrySource({ task, draft, isSaved, onSaved }: TrySourceProps) {
  return (
    <>
      <Title order={2}>{isSaved ? t("trySource.runVersionNow", { version: String(task?.version) }) : t("trySource.runDraftNow")}</Title>
      {draft !== undefined && task !== undefined && (
        <SegmentedControl
          style={{ alignSelf: "flex-start" }}
          size="xs"
          aria-label={t("trySource.whatRun")}
          data={[
            { value: "draft", label: t("trySource.unsavedChanges") },
            { value: "saved", label: t("trySource.version", { version: String(task.version) }) },
          ]}
          value={isSaved ? "saved" : "draft"}
          onChange={(next) => onSaved(next === "saved")}
        />
      )}
      {draft !== undefined && isSaved && <Note title={t("trySource.doesntIncludeChanges")}>{t("trySource.runsSavedVersion")}</Note>}
      {!isSaved && (
        <Note tone="info" title={task === undefined ? t("trySource.runsDraftWithoutCreating") : t("trySource.runsUnsavedChanges")}>
          {task === undefined ? t("trySource.nothingSaved") : t("trySource.versionStaysLatest", { version: String(task.version) })}
        </Note>
      )}
    </>
  );
}
