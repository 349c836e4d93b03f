import { ScrollArea } from "@mantine/core";
import { t } from "../../texts/designer-form.ts";
import { endsOf } from "../canvas/flow-elements.ts";
import { useSelection } from "../canvas/selection.ts";
import { useDraft } from "../draft/draft-context.ts";
import { findTask } from "../draft/graph-edits.ts";
import type { Edits } from "../draft/use-edits.ts";
import { EdgeForm } from "./edge-form.tsx";
import { ManyForm } from "./many-form.tsx";
import { NodeForm } from "./node-form.tsx";
import { NoteForm } from "./note-form.tsx";
import classes from "./side-panel.module.css";
import { WorkflowForm } from "./workflow-form.tsx";

/** Beside the canvas: the form of what is chosen, or of the workflow itself. */
export function SidePanel({ edits }: { edits: Edits }) {
  return (
    <section className={classes.panel} aria-label={t("sidePanel.selection")} data-panel>
      <ScrollArea className={classes.scroll ?? ""} type="auto" viewportProps={{ tabIndex: -1 }}>
        <ChosenForm edits={edits} />
      </ScrollArea>
    </section>
  );
}

function ChosenForm({ edits }: { edits: Edits }) {
  const { history } = useDraft();
  const { selected, keyOf } = useSelection();
  const draft = history.present;
  if (selected.size > 1) return <ManyForm edits={edits} count={selected.size} />;
  const [id = ""] = selected;
  const ends = endsOf(id);
  const edge = ends && findTask(draft, ends.to)?.dependencies?.find(({ taskRef }) => taskRef === ends.from);
  if (ends && edge) return <EdgeForm key={id} from={ends.from} to={ends.to} dependency={edge} />;
  const task = findTask(draft, id);
  if (task) return <NodeForm key={keyOf(id)} task={task} />;
  const note = draft.canvasNotes?.find((each) => each.id === id);
  if (note) return <NoteForm key={id} note={note} />;
  return <WorkflowForm edits={edits} />;
}
