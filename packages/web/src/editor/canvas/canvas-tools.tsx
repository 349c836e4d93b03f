import { ActionIcon, Tooltip } from "@mantine/core";
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconCopy,
  IconKeyboard,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarRightCollapse,
  IconLayoutSidebarRightExpand,
  IconMaximize,
  IconNote,
  IconPlayerSkipBack,
  IconPlus,
  IconSearch,
  IconSitemap,
  IconTrash,
  IconZoomIn,
  IconZoomOut,
} from "@tabler/icons-react";
import { Panel } from "@xyflow/react";
import { memo, useCallback, useRef } from "react";
import { t } from "../../texts/workflow/designer.ts";
import { useDraft } from "../draft/draft-context.ts";
import type { Edits } from "../draft/use-edits.ts";
import type { SideFold } from "../form/side-panel.tsx";
import classes from "./canvas-tools.module.css";
import { useLookAround } from "./canvas-view.ts";
import { useSelection } from "./flow-elements.ts";

interface CanvasToolsProps {
  edits: Edits;
  palette: SideFold;
  form: SideFold;
  onHelp: () => void;
  onFind: () => void;
}

/** Actions on the drawing at its top, with the folds of the sides; ways to view it at its bottom. */
export function CanvasTools({ edits, palette, form, onHelp, onFind }: CanvasToolsProps) {
  return (
    <>
      <ActionTools edits={edits} palette={palette} />
      <Panel position="top-right" className={classes.tools ?? ""}>
        <Tool
          label={form.isOpen ? t("canvasTools.hideForm") : t("canvasTools.showForm")}
          icon={form.isOpen ? IconLayoutSidebarRightCollapse : IconLayoutSidebarRightExpand}
          onClick={() => form.setOpen(!form.isOpen)}
        />
      </Panel>
      <LookTools onHelp={onHelp} onFind={onFind} />
    </>
  );
}

function ActionTools({ edits, palette }: Pick<CanvasToolsProps, "edits" | "palette">) {
  const { history, whyNotEdit } = useDraft();
  const { selected } = useSelection();
  const isFixed = whyNotEdit !== undefined;
  const isNothing = isFixed || selected.size === 0;
  return (
    <Panel position="top-left" className={classes.tools ?? ""} role="toolbar" aria-label={t("canvasTools.canvasTools")}>
      <Tool
        label={palette.isOpen ? t("canvasTools.hideTasks") : t("canvasTools.addTask")}
        icon={palette.isOpen ? IconLayoutSidebarLeftCollapse : IconPlus}
        onClick={() => palette.setOpen(!palette.isOpen)}
        isOff={isFixed}
      />
      <Tool label={t("canvasTools.addNote")} icon={IconNote} onClick={edits.addNote} isOff={isFixed} />
      <Tool label={t("canvasTools.undo")} icon={IconArrowBackUp} onClick={edits.undo} isOff={isFixed || history.past.length === 0} />
      <Tool label={t("canvasTools.redo")} icon={IconArrowForwardUp} onClick={edits.redo} isOff={isFixed || history.future.length === 0} />
      <Tool label={t("canvasTools.duplicateSelection")} icon={IconCopy} onClick={edits.duplicate} isOff={isNothing} />
      <Tool label={t("canvasTools.deleteSelection")} icon={IconTrash} onClick={edits.remove} isOff={isNothing} />
      <Tool label={t("canvasTools.arrangeTasks")} icon={IconSitemap} onClick={edits.arrange} isOff={isFixed} />
    </Panel>
  );
}

function LookTools({ onHelp, onFind }: Pick<CanvasToolsProps, "onHelp" | "onFind">) {
  const { history } = useDraft();
  const { zoomIn, zoomOut, showAll, showStart } = useLookAround();
  return (
    <Panel position="bottom-left" className={classes.tools ?? ""} role="toolbar" aria-label={t("canvasTools.canvasView")}>
      <Tool label={t("canvasTools.zoom")} icon={IconZoomIn} onClick={zoomIn} />
      <Tool label={t("canvasTools.zoomOut")} icon={IconZoomOut} onClick={zoomOut} />
      <Tool label={t("canvasTools.fitView")} icon={IconMaximize} onClick={showAll} />
      <Tool label={t("canvasTools.goStart")} icon={IconPlayerSkipBack} onClick={() => showStart(history.present)} />
      <Tool label={t("canvasTools.findTask")} icon={IconSearch} onClick={onFind} />
      <Tool label={t("canvasTools.keyboardShortcuts")} icon={IconKeyboard} onClick={onHelp} />
    </Panel>
  );
}

interface ToolProps {
  label: string;
  icon: typeof IconPlus;
  onClick: () => void;
  isOff?: boolean;
}

/** Rendered again only when its appearance changes. A click calls the latest `onClick`. */
function Tool({ onClick, ...look }: ToolProps) {
  const latest = useRef(onClick);
  latest.current = onClick;
  const press = useCallback(() => latest.current(), []);
  return <ToolButton {...look} onClick={press} />;
}

const ToolButton = memo(function ToolButton({ label, icon: Icon, onClick, isOff = false }: ToolProps) {
  return (
    <Tooltip label={label} openDelay={300}>
      <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={onClick} disabled={isOff}>
        <Icon size={18} stroke={1.75} />
      </ActionIcon>
    </Tooltip>
  );
});
