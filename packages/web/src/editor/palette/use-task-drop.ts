import { useReactFlow } from "@xyflow/react";
import { type DragEvent, useMemo } from "react";
import { aroundPoint } from "../canvas/node-size.ts";
import { useDraft } from "../draft/draft-context.ts";
import type { Edits } from "../draft/use-edits.ts";
import { draggedTask } from "./palette-drag.ts";

/** A task of the palette that is dropped on the canvas is added where the pointer is. */
export function useTaskDrop(edits: Edits) {
  const { catalog } = useDraft();
  const { screenToFlowPosition } = useReactFlow();
  return useMemo(
    () => ({
      onDragOver: (event: DragEvent) => event.preventDefault(),
      onDrop(event: DragEvent) {
        const definition = catalog?.get(event.dataTransfer.getData(draggedTask));
        if (!definition) return;
        event.preventDefault();
        edits.add(definition, aroundPoint(screenToFlowPosition({ x: event.clientX, y: event.clientY })));
      },
    }),
    [catalog, edits, screenToFlowPosition],
  );
}
