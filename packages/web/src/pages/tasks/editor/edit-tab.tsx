import { Button, Group } from "@mantine/core";
import type { TaskScope } from "../../../api/queries/tasks.ts";
import { YamlPane } from "../../../components/yaml/yaml-pane.tsx";
import { TaskForm } from "../../../forms/task-form/task-form.tsx";
import type { TaskDraftState } from "../../../forms/task-form/use-task-draft.ts";
import { useSearchState } from "../../../hooks/use-search-state.ts";
import { t } from "../../../texts/tasks.ts";
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
        <Note tone="info" isWide title={t("editTab.haveReadOnlyAccess")}>
          {scope === undefined ? `${t("editTab.onlyAdministratorsOperators")} ` : ""}
          {whyNot}
        </Note>
      )}
      {base.newer && <NewerNote newer={base.newer} base={base} />}
      <div className={classes.split}>
        <section aria-label={t("editTab.form")}>
          {fault && <Note title={t("editTab.formPaused")}>{t("editTab.invalidYamlLineUntil", { line: String(fault.line) })}</Note>}
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
        <section aria-label={t("editTab.yaml")} className={classes.beside}>
          <YamlPane
            label={t("editTab.definitionYaml")}
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
    <Note isWide title={t("editTab.savedVersion", { author: changelog?.author ?? t("editTab.someone"), version: String(version) })}>
      <Group gap="sm">
        {t("editTab.changesBasedOlderVersion")}
        <Button size="xs" variant="default" onClick={() => base.reset(newer.text, newer.etag)}>
          {t("editTab.discardMyChanges")}
        </Button>
      </Group>
    </Note>
  );
}
