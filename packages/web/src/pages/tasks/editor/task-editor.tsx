import { Button, Group, Tabs } from "@mantine/core";
import { stepActionType } from "@millrace/contract/status.ts";
import { useBlocker } from "@tanstack/react-router";
import { useState } from "react";
import type { TaskScope } from "../../../api/queries/task/tasks.ts";
import { YamlPane } from "../../../components/yaml/yaml-pane.tsx";
import { type TaskDraftState, taskTypeWord, useTaskDraft } from "../../../forms/task-form/task-draft.ts";
import { TaskForm } from "../../../forms/task-form/task-form.tsx";
import { useRights } from "../../../hooks/use-caller.ts";
import { useSearchState } from "../../../hooks/use-search-state.ts";
import { t } from "../../../texts/task/tasks.ts";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";
import { UnsavedTag } from "../../../ui/mark/state-mark.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { TimeText } from "../../../ui/time/time-text.tsx";
import { Note } from "../note.tsx";
import { TaskActions } from "../task-actions.tsx";
import { TaskState } from "../task-state.tsx";
import classes from "../tasks.module.css";
import type { TriedDraft } from "../try/try-source.tsx";
import { TryTab } from "../try/try-tab.tsx";
import { UsesTab } from "../uses-tab.tsx";
import { VersionsTab } from "../versions-tab.tsx";
import { WorkersTab } from "../workers-tab.tsx";
import { forgetText, keptText, useKeptText } from "./kept-text.ts";
import { type StoredTask, type TaskBase, useTaskBase } from "./use-task-base.ts";
import { type TaskCheck, useTaskCheck } from "./use-task-check.ts";

interface TaskEditorProps {
  scope: TaskScope;
  name: string;
  /** The document to start with. */
  initial: string;
  /** The task on the server; undefined if it isn't stored yet. */
  stored: StoredTask | undefined;
}

/** The tag of no state that a task can have. */
const noState = '"none"';

/** A task with its draft. The draft is kept while the user looks at versions or tries the task. */
export function TaskEditor({ scope, name, initial, stored }: TaskEditorProps) {
  const rights = useRights(scope);
  const whyNot = rights.whyNot("task/write");
  const isReadOnly = whyNot !== undefined;
  const [restored, setRestored] = useState(() => (isReadOnly ? undefined : keptText(scope, name)));
  const state = useTaskDraft(restored?.text ?? initial);
  // A draft of a task that was to be created is based on nothing. If someone has created the task since then, no save may match.
  const restoredTag = restored?.etag ?? (stored && noState);
  const base = useTaskBase(state, stored, { text: restored?.base ?? initial, etag: restored ? restoredTag : stored?.etag });
  const isDirty = !isReadOnly && (stored === undefined || state.text !== base.text);
  const check = useTaskCheck(scope, state.text, !isReadOnly, state.fault);
  const [{ view }, change] = useSearchState({ view: "edit" });
  const isAction = state.draft.type === stepActionType;
  const hasTab = isAction ? view === "versions" && stored !== undefined : stored !== undefined || view === "try";
  const shown = hasTab ? view : "edit";
  // Of a global task, each team has workers of its own.
  const isExternal = scope !== undefined && stored?.task.annotations?.["millrace.dev/executor"] === "external";
  const [isLeaving, setLeaving] = useState(false);
  const leave = () => {
    forgetText(scope, name);
    setLeaving(true);
  };
  const isUnsaved = isDirty && !isLeaving && state.text !== base.text;
  useKeptText(scope, name, { state, base, isUnsaved, isReadOnly });
  return (
    <>
      <TaskHeader name={name} stored={stored} isDirty={isDirty}>
        <TaskActions {...{ scope, name, stored, state, base, check, isDirty, whyNot }} onLeave={leave} />
      </TaskHeader>
      <Tabs value={shown} onChange={(next) => change({ view: next ?? "edit" }, { replace: false })} keepMounted={false}>
        <Tabs.List px="xs" mb="md">
          <Tabs.Tab value="edit">{isReadOnly ? t("taskEditor.definition") : t("taskEditor.edit")}</Tabs.Tab>
          {!isAction && <Tabs.Tab value="try">{t("taskEditor.test")}</Tabs.Tab>}
          {stored !== undefined && <Tabs.Tab value="versions">{t("taskEditor.versions")}</Tabs.Tab>}
          {stored !== undefined && scope !== undefined && !isAction && <Tabs.Tab value="uses">{t("taskEditor.used")}</Tabs.Tab>}
          {isExternal && <Tabs.Tab value="workers">{t("taskEditor.workers")}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value={shown}>
          {restored && isUnsaved && (
            <RestoredNote
              at={restored.at}
              onDiscard={() => {
                setRestored(undefined);
                base.reset(stored?.text ?? initial, stored?.etag);
              }}
            />
          )}
          {shown === "edit" && <EditTab {...{ scope, state, base, stored, check, whyNot }} />}
          {shown === "try" && <TryTab {...{ scope, name, stored }} draft={isDirty ? draftOf(state, check) : undefined} />}
          {shown === "versions" && stored !== undefined && (
            <VersionsTab scope={scope} name={name} stored={stored} whyNot={whyNot} isDirty={isDirty} />
          )}
          {shown === "workers" && isExternal && <WorkersTab team={scope} name={name} />}
          {shown === "uses" && scope !== undefined && <UsesTab team={scope} name={name} latest={stored?.task.version ?? 1} />}
        </Tabs.Panel>
      </Tabs>
      <LeaveGuard isDirty={isUnsaved} onLeave={leave} />
    </>
  );
}

function draftOf({ text, draft, fault }: TaskDraftState, { faults }: TaskCheck): TriedDraft {
  return { text, params: draft.params, fault, faults };
}

interface TaskHeaderProps {
  name: string;
  stored: StoredTask | undefined;
  isDirty: boolean;
  children: React.ReactNode;
}

function TaskHeader({ name, stored, isDirty, children }: TaskHeaderProps) {
  const task = stored?.task;
  return (
    <PageHeader
      title={task?.displayName || name}
      tab={t(isDirty ? "taskEditor.tabUnsaved" : "taskEditor.tab", { displayName: task?.displayName || name })}
      state={
        <>
          {task && <TaskState status={task.status} />}
          {isDirty && <UnsavedTag isNew={task === undefined} />}
        </>
      }
      detail={
        task &&
        t.rich("taskEditor.versionChanged", {
          code: () => <code>{name}</code>,
          taskTypeWord: taskTypeWord(task.type),
          version: String(task.version),
          verified: () => task.verified && ` · ${t("taskEditor.builtIn")}`,
          time: () => <TimeText at={task.changelog?.date} />,
          author: task.changelog?.author ?? "",
        })
      }
    >
      {children}
    </PageHeader>
  );
}

/** Asks for confirmation before unsaved changes are lost by following a link, going back, or closing the page. */
function LeaveGuard({ isDirty, onLeave }: { isDirty: boolean; onLeave: () => void }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      isOpen={status === "blocked"}
      onClose={() => reset?.()}
      title={t("taskEditor.leaveWithoutSaving")}
      action={t("taskEditor.discardLeave")}
      dismiss={t("taskEditor.keepEditing")}
      isDangerous
      onConfirm={async () => {
        onLeave();
        proceed?.();
      }}
    >
      {t("taskEditor.unsavedChangesLost")}
    </ConfirmDialog>
  );
}

interface EditTabProps {
  scope: TaskScope;
  state: TaskDraftState;
  base: TaskBase;
  stored: StoredTask | undefined;
  check: TaskCheck;
  /** Why the task can't be edited. */
  whyNot: string | undefined;
}

/** The draft in two views: as a form, and as the document that is stored. */
function EditTab({ scope, state, base, stored, check, whyNot }: EditTabProps) {
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

function RestoredNote({ at, onDiscard }: { at: string; onDiscard: () => void }) {
  return (
    <Note tone="info" isWide title={t("editTab.restored")}>
      <Group gap="sm">
        {t.rich("editTab.restoredFrom", { time: () => <TimeText at={at} /> })}
        <Button size="xs" variant="default" onClick={onDiscard}>
          {t("editTab.discardMyChanges")}
        </Button>
      </Group>
    </Note>
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
