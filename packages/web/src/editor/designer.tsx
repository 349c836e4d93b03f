import { Modal } from "@mantine/core";
import { ReactFlowProvider } from "@xyflow/react";
import { lazy, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { TaskDefinition } from "../api/queries/task/task-catalog.ts";
import { useSearchState } from "../hooks/use-search-state.ts";
import { t } from "../texts/workflow/designer.ts";
import { loadCodeEditor } from "../ui/code/code-editor.tsx";
import { LateOverlay } from "../ui/dialog/late-overlay.tsx";
import { KeyTable } from "../ui/table/scroll-box.tsx";
import { Canvas } from "./canvas/canvas.tsx";
import { focusOn, focusOnCanvas, focusOnNew } from "./canvas/canvas-focus.ts";
import { CanvasTools } from "./canvas/canvas-tools.tsx";
import { EmptyCanvas } from "./canvas/empty-canvas.tsx";
import { type Selection, SelectionContext, useSelection } from "./canvas/flow-elements.ts";
import { LinkSearch } from "./canvas/link-search.tsx";
import { NodeSearch } from "./canvas/node-search.tsx";
import { canvasKeys, useCanvasKeys } from "./canvas/use-canvas-keys.ts";
import classes from "./designer.module.css";
import { type Draft, isMarker } from "./draft/draft.ts";
import { useDraft } from "./draft/draft-context.ts";
import { findTask } from "./draft/graph-edits.ts";
import { useEdits } from "./draft/use-edits.ts";
import { FirstFieldContext, firstField } from "./form/first-field.ts";
import { SidePanel, useFold } from "./form/side-panel.tsx";
import { writePath } from "./nested/nested-draft.ts";
import { NestedOpener } from "./nested/nested-opener.ts";
import { NestedCrumbs, NestedScope, useNestedPath } from "./nested/nested-scope.tsx";
import { Palette } from "./palette/palette.tsx";

/**
 * Palette, canvas and form side by side. The form keeps its space until it is collapsed, so that the canvas doesn't move when something is
 * selected.
 */
export function Designer() {
  const { path, open } = useNestedPath();
  const opener = (task: string) => open([...path, task]);
  if (path.length === 0)
    return (
      <NestedOpener value={opener}>
        <ScopedDesigner />
      </NestedOpener>
    );
  return (
    <>
      <NestedCrumbs path={path} onOpen={open} />
      <NestedScope path={path}>
        <NestedOpener value={opener}>
          <ScopedDesigner key={writePath(path)} />
        </NestedOpener>
      </NestedScope>
    </>
  );
}

/** The designer of the workflow, or of a workflow nested in it. */
function ScopedDesigner() {
  const [{ node, open, rerun }, setSearch] = useSearchState({ node: "", open: false, rerun: "" });
  // When a failed run is to be fixed, its failed task is selected.
  const first = useRef(rerun === "" ? undefined : String(node));
  const [selected, setSelected] = useState<ReadonlySet<string>>(() => new Set(node === "" ? [] : [String(node)]));
  const select: Selection["select"] = useCallback(
    (ids) => setSelected((before) => new Set(typeof ids === "function" ? ids(before) : ids)),
    [],
  );
  const [keys, setKeys] = useState<ReadonlyMap<string, string>>(() => new Map());
  const selection = useMemo(
    () => ({
      ...{ selected, select },
      rename(from: string, to: string) {
        select((before) => [...before].map((id) => (id === from ? to : id)));
        // The old name is now available to another task.
        setKeys((before) => new Map([...before, [to, before.get(from) ?? from], [from, crypto.randomUUID()]]));
      },
      keyOf: (id: string) => keys.get(id) ?? id,
    }),
    [selected, select, keys],
  );
  const only = selected.size === 1 ? ([...selected][0] ?? "") : "";
  // Selecting a task and opening it at once is a single entry of the browser history.
  const wantsOpen = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the URL follows the selection, not the other way round
  useEffect(() => {
    if (only !== String(node)) setSearch({ node: only, open: wantsOpen.current || (open && only !== "") });
    wantsOpen.current = false;
  }, [only]);
  const onOpen = (name: string) => {
    if (name === only) return setSearch({ open: true });
    wantsOpen.current = true;
    select([name]);
  };
  return (
    <SelectionContext value={selection}>
      <FirstFieldContext value={first}>
        <ReactFlowProvider>
          <Bench onOpen={onOpen} first={first} />
        </ReactFlowProvider>
      </FirstFieldContext>
    </SelectionContext>
  );
}

interface BenchProps {
  onOpen: (task: string) => void;
  first: RefObject<string | undefined>;
}

function Bench({ onOpen, first }: BenchProps) {
  const { whyNotEdit, catalog, history } = useDraft();
  const { selected } = useSelection();
  const edits = useEdits();
  const [isFinding, setFinding] = useState(false);
  const [linkedFrom, setLinkedFrom] = useState<string>();
  const onAdd = useCallback(
    (definition: TaskDefinition, isFilledIn: boolean) => {
      const name = edits.add(definition);
      if (!isFilledIn || name === undefined) return;
      first.current = name;
      focusOnNew(name, firstField(definition.spec?.params ?? []) !== undefined);
    },
    [edits, first],
  );
  const palette = useFold("palette");
  const form = useFold("form");
  const [isHelpOpen, setHelpOpen] = useState(false);
  const onHelp = () => setHelpOpen(true);
  const onFind = () => setFinding(true);
  const onLink = () => setLinkedFrom(onlyTask(history.present, selected));
  const onKeyDown = useCanvasKeys(edits, { palette, form, onHelp, onFind, onLink, onOpen });
  const hasPalette = palette.isOpen && whyNotEdit === undefined;
  return (
    <div className={classes.bench} data-palette={hasPalette || undefined} data-form={form.isOpen || undefined}>
      {hasPalette && <Palette onAdd={onAdd} onSearch={loadCodeEditor} catalog={catalog} />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of the canvas; its nodes and edges are focusable */}
      <div className={classes.canvas} onKeyDown={onKeyDown}>
        <CanvasTools edits={edits} palette={{ ...palette, isOpen: hasPalette }} form={form} onHelp={onHelp} onFind={onFind} />
        <Canvas edits={edits} onOpen={onOpen}>
          <EmptyCanvas
            onBegin={() => {
              palette.setOpen(true);
              focusOn("[data-palette-search]");
            }}
          />
          {isFinding && (
            <NodeSearch
              edits={edits}
              onClose={() => {
                setFinding(false);
                focusOnCanvas();
              }}
            />
          )}
          {linkedFrom !== undefined && whyNotEdit === undefined && (
            <LinkSearch from={linkedFrom} onClose={() => setLinkedFrom(undefined)} />
          )}
        </Canvas>
      </div>
      {form.isOpen && <SidePanel edits={edits} onOpen={onOpen} />}
      <OpenNode onOpen={onOpen} />
      <KeyboardHelp isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />
    </div>
  );
}

function onlyTask(draft: Draft, selected: ReadonlySet<string>): string | undefined {
  const [only = ""] = selected.size === 1 ? selected : [];
  return findTask(draft, only)?.name;
}

const NodeEditor = lazy(() => import("./node/node-editor.tsx").then((module) => ({ default: module.NodeEditor })));

/** The large editor of the task that the URL says is open. Its code is loaded as soon as a task is selected. */
function OpenNode({ onOpen }: { onOpen: (task: string) => void }) {
  const { history } = useDraft();
  const { selected, keyOf } = useSelection();
  const [{ open }, setSearch] = useSearchState({ open: false });
  const [name = ""] = selected.size === 1 ? selected : [];
  const task = findTask(history.present, name);
  const isTask = task !== undefined && !isMarker(task);
  useEffect(() => {
    if (isTask) void import("./node/node-editor.tsx");
  }, [isTask]);
  if (!isTask || !open) return null;
  const close = () => setSearch({ open: false });
  return (
    <LateOverlay onClose={close}>
      <NodeEditor key={keyOf(name)} task={task} onOpen={onOpen} onClose={close} />
    </LateOverlay>
  );
}

/** How to do everything without a pointer. */
function KeyboardHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal
      closeButtonProps={{ "aria-label": t("keyboardHelp.close") }}
      opened={isOpen}
      onClose={onClose}
      title={t("keyboardHelp.canvasShortcuts")}
      size="lg"
      centered
    >
      <KeyTable keys={canvasKeys} width={320} />
    </Modal>
  );
}
