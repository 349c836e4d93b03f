import { Button, Group } from "@mantine/core";
import type { TaskScope } from "../../../api/queries/tasks.ts";
import { YamlPane } from "../../../components/yaml/yaml-pane.tsx";
import { TaskForm } from "../../../forms/task-form/task-form.tsx";
import type { TaskDraftState } from "../../../forms/task-form/use-task-draft.ts";
import { useSearchState } from "../../../hooks/use-search-state.ts";
import { Note } from "../note.tsx";
import classes from "../tasks.module.css";
import type { StoredTask, TaskBase } from "./use-task-base.ts";
import type { TaskCheck } from "./use-task-check.ts";

interface EditTabProps {
  scope: TaskScope;
  state: TaskDraftState;
  base: TaskBase;
  stored: StoredTask | undefined;
  check: TaskCheck;
  /** Why nothing can be changed. */
  whyNot: string | undefined;
}

/** The same draft twice: as a form, and as the document that is stored. */
export function EditTab({ scope, state, base, stored, check, whyNot }: EditTabProps) {
  const [{ part }, change] = useSearchState({ part: "general" });
  const { text, setText, edit, draft, fault } = state;
  const isReadOnly = whyNot !== undefined;
  return (
    <>
      {isReadOnly && (
        <Note tone="info" isWide title="You have read-only access to this task">
          {scope === undefined ? "Only administrators and operators can edit global tasks. " : ""}
          {whyNot}
        </Note>
      )}
      {base.newer && <NewerNote newer={base.newer} base={base} />}
      <div className={classes.split}>
        <section aria-label="Form">
          {fault && (
            <Note title="The form is paused">Invalid YAML (line {fault.line}). Until you fix it, the form shows the last valid state.</Note>
          )}
          <TaskForm
            draft={draft}
            edit={edit}
            faults={check.faults}
            isReadOnly={isReadOnly || fault !== undefined}
            isNew={stored === undefined}
            part={part}
            onPart={(next) => change({ part: next })}
          />
        </section>
        <section aria-label="YAML" className={classes.beside}>
          <YamlPane
            label="Definition as YAML"
            text={text}
            onChange={setText}
            check={isReadOnly ? undefined : check}
            isReadOnly={isReadOnly}
            maxHeight="calc(100vh - 240px)"
          />
        </section>
      </div>
    </>
  );
}

function NewerNote({ newer, base }: { newer: StoredTask; base: TaskBase }) {
  const { version, changelog } = newer.task;
  return (
    <Note isWide title={`${changelog?.author ?? "Someone"} saved version ${version}`}>
      <Group gap="sm">
        Your changes are based on an older version. You can resolve this when you save.
        <Button size="xs" variant="default" onClick={() => base.reset(newer.text, newer.etag)}>
          Discard my changes
        </Button>
      </Group>
    </Note>
  );
}
