import { SegmentedControl, Title } from "@mantine/core";
import type { Task, TaskFault } from "../../../api/queries/tasks.ts";
import type { Param } from "../../../forms/parameter-form.tsx";
import type { YamlFault } from "../../../forms/task-form/yaml-edit.ts";
import { Note } from "../note.tsx";

/** A task as it is written at the moment, not saved. */
export interface TriedDraft {
  text: string;
  params: readonly Param[];
  /** Why the text can't be read. */
  fault: YamlFault | undefined;
  /** What the service would refuse it for. */
  faults: readonly TaskFault[];
}

interface TrySourceProps {
  task: Task | undefined;
  draft: TriedDraft | undefined;
  isSaved: boolean;
  onSaved: (isSaved: boolean) => void;
}

/** Says what is going to run: the draft, or the version that is saved. With both there, one chooses. */
export function TrySource({ task, draft, isSaved, onSaved }: TrySourceProps) {
  return (
    <>
      <Title order={2}>{isSaved ? `Run version ${task?.version} now` : "Run your draft now"}</Title>
      {draft !== undefined && task !== undefined && (
        <SegmentedControl
          style={{ alignSelf: "flex-start" }}
          size="xs"
          aria-label="What to run"
          data={[
            { value: "draft", label: "Unsaved changes" },
            { value: "saved", label: `Version ${task.version}` },
          ]}
          value={isSaved ? "saved" : "draft"}
          onChange={(next) => onSaved(next === "saved")}
        />
      )}
      {draft !== undefined && isSaved && <Note title="Doesn't include your changes">Runs the saved version.</Note>}
      {!isSaved && (
        <Note tone="info" title={task === undefined ? "Runs your draft without creating the task" : "Runs your unsaved changes"}>
          Nothing is saved{task === undefined ? "." : `: version ${task.version} stays the latest.`}
        </Note>
      )}
    </>
  );
}
