import { Button, Group, ScrollArea, Stack, Text, Textarea, Title } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { lazy, useState } from "react";
import type { WorkflowProblem } from "../../api/queries/workflow/workflow-draft.ts";
import { t } from "../../texts/workflow/designer.ts";
import { LateOverlay } from "../../ui/dialog/late-overlay.tsx";
import { focusOnCanvas } from "../canvas/canvas-focus.ts";
import { endsOf, useSelection } from "../canvas/flow-elements.ts";
import type { CanvasNote } from "../draft/draft.ts";
import { useDraft } from "../draft/draft-context.ts";
import { changeNote, findTask } from "../draft/graph-edits.ts";
import type { Edits } from "../draft/use-edits.ts";
import { EdgeForm } from "./edge-form.tsx";
import { NodeForm } from "./node-form.tsx";
import { ProblemList } from "./problem-list.tsx";
import classes from "./side-panel.module.css";
import { useLeaveByEscape } from "./use-leave.ts";

const NestedDeclarations = lazy(async () => ({ default: (await import("../nested/nested-declarations.tsx")).NestedDeclarations }));

interface SidePanelProps {
  edits: Edits;
  /** Opens a task in the large editor. */
  onOpen: (task: string) => void;
}

/** Beside the canvas: the form of the selected element, or of the workflow. */
export function SidePanel({ edits, onOpen }: SidePanelProps) {
  const { selected } = useSelection();
  const onKeyDown = useLeaveByEscape(() => focusOnCanvas([...selected][0]));
  return (
    <section className={classes.panel} aria-label={t("sidePanel.selection")} data-panel tabIndex={-1} onKeyDown={onKeyDown}>
      <ScrollArea className={classes.scroll ?? ""} type="auto" viewportProps={{ tabIndex: -1 }}>
        <ChosenForm edits={edits} onOpen={onOpen} />
      </ScrollArea>
    </section>
  );
}

function ChosenForm({ edits, onOpen }: SidePanelProps) {
  const { history } = useDraft();
  const { selected, keyOf } = useSelection();
  const draft = history.present;
  if (selected.size > 1) return <ManyForm edits={edits} count={selected.size} />;
  const [id = ""] = selected;
  const ends = endsOf(id);
  const edge = ends && findTask(draft, ends.to)?.dependencies?.find(({ taskRef }) => taskRef === ends.from);
  if (ends && edge) return <EdgeForm key={id} from={ends.from} to={ends.to} dependency={edge} />;
  const task = findTask(draft, id);
  if (task) return <NodeForm key={keyOf(id)} task={task} onOpen={onOpen} />;
  const note = draft.canvasNotes?.find((each) => each.id === id);
  if (note) return <NoteForm key={id} note={note} />;
  return <WorkflowForm edits={edits} />;
}

/** The text of a note on the canvas. */
function NoteForm({ note }: { note: CanvasNote }) {
  const { change, whyNotEdit } = useDraft();
  return (
    <div className={classes.body}>
      <Title order={2}>{t("noteForm.note")}</Title>
      <Text size="sm" className="quiet" mb="xs">
        {t("noteForm.markdownShownCanvasSaved")}
      </Text>
      <Textarea
        aria-label={t("noteForm.noteText")}
        rows={8}
        value={note.text}
        readOnly={whyNotEdit !== undefined}
        onChange={({ currentTarget: { value: text } }) => change((draft) => changeNote(draft, { ...note, text }), `note ${note.id}`)}
      />
    </div>
  );
}

/** Actions for several selected elements. */
function ManyForm({ edits, count }: { edits: Edits; count: number }) {
  const { whyNotEdit } = useDraft();
  return (
    <div className={classes.body}>
      <Title order={2}>{t("manyForm.tasksSelected", { count })}</Title>
      <Text size="sm" className="quiet" mb="sm">
        {t("manyForm.dragUseArrowKeys")}
      </Text>
      {whyNotEdit === undefined && (
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={edits.duplicate}>
            {t("manyForm.duplicate")}
          </Button>
          <Button size="xs" variant="default" onClick={edits.copy}>
            {t("manyForm.copy")}
          </Button>
          <Button size="xs" variant="default" onClick={edits.remove}>
            {t("manyForm.delete")}
          </Button>
        </Group>
      )}
    </div>
  );
}

function stateOf(problems: readonly WorkflowProblem[]): string {
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const warnings = problems.length - errors;
  const warned = warnings === 0 ? "" : t("workflowForm.warningWarnings", { warnings });
  if (errors === 0) return warned === "" ? t("workflowForm.noProblemsFound") : t("workflowForm.saved", { warned });
  return warned === "" ? t("workflowForm.problemsToFix", { errors }) : t("workflowForm.problemsAndWarnings", { errors, warned });
}

/** Shown when nothing is selected: the problems of the workflow, and its notes. */
function WorkflowForm({ edits }: { edits: Edits }) {
  const { history, isNested, change, problems, isChecking, whyNotEdit } = useDraft();
  const { tasks, markdown } = history.present;
  const notes = typeof markdown === "string" ? markdown : "";
  return (
    <Stack gap="sm" className={classes.body ?? ""}>
      <Title order={2}>{isNested ? t("nested.title") : t("workflowForm.workflow")}</Title>
      <Text size="sm" className="quiet">
        {t("workflowForm.tasksSelectTaskEdit", { count: tasks.length })}
      </Text>
      {whyNotEdit === undefined && (
        <Text size="sm" role="status">
          {isChecking ? t("workflowForm.checking") : stateOf(problems)}
        </Text>
      )}
      <ProblemList problems={problems} onChoose={edits.show} />
      {isNested && <DeclarationsButton />}
      <Title order={3}>{t("workflowForm.notes")}</Title>
      <Textarea
        aria-label={t("workflowForm.workflowNotes")}
        placeholder={t("workflowForm.workflowNotesPlaceholder")}
        rows={6}
        value={notes}
        readOnly={whyNotEdit !== undefined}
        onChange={({ currentTarget: { value: text } }) => change((draft) => ({ ...draft, markdown: text }), "notes")}
      />
    </Stack>
  );
}

/** A workflow has a page for its declarations; a nested one has a dialog. */
function DeclarationsButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpen(true)}>
        {t("nested.declarations")}
      </Button>
      {isOpen && (
        <LateOverlay onClose={() => setOpen(false)}>
          <NestedDeclarations onClose={() => setOpen(false)} />
        </LateOverlay>
      )}
    </>
  );
}

export interface SideFold {
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
}

/**
 * Whether a side of the designer is expanded. The user's choice is stored in this browser; without one, the palette is collapsed where it
 * would cover the canvas.
 */
export function useFold(side: "palette" | "form"): SideFold {
  const [choice, setChoice] = useLocalStorage({ key: `millrace-designer-${side}`, defaultValue: "", getInitialValueInEffect: false });
  const isOpen = choice === "" ? side === "form" || window.matchMedia("(min-width: 62em)").matches : choice === "open";
  return { isOpen, setOpen: (open) => setChoice(open ? "open" : "folded") };
}
