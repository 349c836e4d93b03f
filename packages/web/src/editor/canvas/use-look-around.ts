import { useReactFlow } from "@xyflow/react";
import { useMemo } from "react";
import type { Point } from "../../graph/layout.ts";
import type { Draft } from "../draft/draft.ts";
import { openView } from "./bring-into-view.ts";
import type { FlowEdge, FlowNode } from "./flow-elements.ts";

const whole = { maxZoom: 1, padding: 0.1, includeHiddenNodes: true };

/** Ways to look at the canvas, by a button or a key. */
export function useLookAround() {
  const flow = useReactFlow<FlowNode, FlowEdge>();
  return useMemo(
    () => ({
      zoomIn: () => void flow.zoomIn(),
      zoomOut: () => void flow.zoomOut(),
      showAll: () => void flow.fitView(whole),
      showStart: (draft: Draft) => openView(flow, draft, new Set()),
      /** By pixels of the screen. */
      moveBy({ x, y }: Point) {
        const view = flow.getViewport();
        void flow.setViewport({ ...view, x: view.x + x, y: view.y + y });
      },
    }),
    [flow],
  );
}
