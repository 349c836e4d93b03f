import { ActionIcon, Tooltip } from "@mantine/core";
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconCopy,
  IconKeyboard,
  IconLayoutSidebarLeftCollapse,
  IconMaximize,
  IconNote,
  IconPlus,
  IconSitemap,
  IconTrash,
  IconZoomIn,
  IconZoomOut,
} from "@tabler/icons-react";
import { Panel, useReactFlow } from "@xyflow/react";
import classes from "./canvas-tools.module.css";
import { useDraft } from "./draft-context.ts";
import { useSelection } from "./selection.ts";
import type { Edits } from "./use-edits.ts";

interface CanvasToolsProps {
  edits: Edits;
  isPaletteOpen: boolean;
  onPalette: () => void;
  onHelp: () => void;
}

/** Deeds on the drawing at its top, ways to look at it at its bottom. */
export function CanvasTools({ edits, isPaletteOpen, onPalette, onHelp }: CanvasToolsProps) {
  const { history, whyNotEdit } = useDraft();
  const { selected } = useSelection();
  const { zoomIn, zoomOut, fitView } = useReactFlow();
  const isFixed = whyNotEdit !== undefined;
  const isNothing = isFixed || selected.size === 0;
  return (
    <>
      <Panel position="top-left" className={classes.tools ?? ""} role="toolbar" aria-label="Deeds on the canvas">
        <Tool
          label={isPaletteOpen ? "Hide the tasks" : "Add a task"}
          icon={isPaletteOpen ? IconLayoutSidebarLeftCollapse : IconPlus}
          onClick={onPalette}
          isOff={isFixed}
        />
        <Tool label="Add a note" icon={IconNote} onClick={edits.addNote} isOff={isFixed} />
        <Tool label="Undo" icon={IconArrowBackUp} onClick={edits.undo} isOff={isFixed || history.past.length === 0} />
        <Tool label="Redo" icon={IconArrowForwardUp} onClick={edits.redo} isOff={isFixed || history.future.length === 0} />
        <Tool label="Duplicate what is chosen" icon={IconCopy} onClick={edits.duplicate} isOff={isNothing} />
        <Tool label="Take away what is chosen" icon={IconTrash} onClick={edits.remove} isOff={isNothing} />
        <Tool label="Arrange all tasks" icon={IconSitemap} onClick={edits.arrange} isOff={isFixed} />
      </Panel>
      <Panel position="bottom-left" className={classes.tools ?? ""} role="toolbar" aria-label="Look at the canvas">
        <Tool label="Zoom in" icon={IconZoomIn} onClick={() => void zoomIn()} />
        <Tool label="Zoom out" icon={IconZoomOut} onClick={() => void zoomOut()} />
        <Tool label="Show everything" icon={IconMaximize} onClick={() => void fitView({ maxZoom: 1, padding: 0.1 })} />
        <Tool label="Keys" icon={IconKeyboard} onClick={onHelp} />
      </Panel>
    </>
  );
}

interface ToolProps {
  label: string;
  icon: typeof IconPlus;
  onClick: () => void;
  isOff?: boolean;
}

function Tool({ label, icon: Icon, onClick, isOff = false }: ToolProps) {
  return (
    <Tooltip label={label} openDelay={300}>
      <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={onClick} disabled={isOff}>
        <Icon size={18} stroke={1.75} />
      </ActionIcon>
    </Tooltip>
  );
}
