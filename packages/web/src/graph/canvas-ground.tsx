import { type AriaLabelConfig, useStoreApi } from "@xyflow/react";
import { useEffect, useRef } from "react";
import { t } from "../texts/shared.ts";
import classes from "./canvas-ground.module.css";

type Transform = readonly [number, number, number];

const gap = 16;
/** The separate layer is removed this long after the last movement, so that the graph is sharp when it rests. */
const restMs = 400;

/**
 * The background dots of a graph. For smooth movement, dots and graph become separate layers while the graph is moved; layers are shifted
 * instead of repainted. React renders none of this.
 */
export function CanvasGround() {
  const store = useStoreApi();
  const ground = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let before: Transform = [0, 0, 0];
    let rest: ReturnType<typeof setTimeout> | undefined;
    const layOut = () => {
      const { transform, domNode } = store.getState();
      if (transform[0] === before[0] && transform[1] === before[1] && transform[2] === before[2]) return;
      if (ground.current) placeDots(ground.current, transform, before);
      const graph = domNode?.querySelector<HTMLElement>(".react-flow__viewport");
      const isShifted = transform[2] === before[2];
      before = transform;
      clearTimeout(rest);
      rest = setTimeout(() => setLayer(graph, false), restMs);
      // A layer isn't repainted when it is enlarged, so it would be blurred.
      setLayer(graph, isShifted);
    };
    layOut();
    const stop = store.subscribe(layOut);
    return () => {
      stop();
      clearTimeout(rest);
    };
  }, [store]);
  return <div ref={ground} className={classes.ground} aria-hidden />;
}

function setLayer(graph: HTMLElement | null | undefined, isOn: boolean): void {
  const value = isOn ? "transform" : "";
  if (graph && graph.style.willChange !== value) graph.style.willChange = value;
}

function placeDots(ground: HTMLElement, [x, y, zoom]: Transform, [, , zoomBefore]: Transform): void {
  // When zoomed out, shows fewer dots instead of denser ones.
  const size = gap * zoom * 2 ** Math.max(0, Math.ceil(Math.log2(0.75 / zoom)));
  if (zoom !== zoomBefore) ground.style.setProperty("--gap", `${size}px`);
  ground.style.transform = `translate(${Math.round(remainder(x, size))}px, ${Math.round(remainder(y, size))}px)`;
}

function remainder(value: number, by: number): number {
  return ((value % by) + by) % by;
}

/** The screen reader texts of the graph library, whose own texts are English only. */
export const graphLabels: Partial<AriaLabelConfig> = {
  "node.a11yDescription.default": t("graphLabels.node"),
  "node.a11yDescription.keyboardDisabled": t("graphLabels.movableNode"),
  "edge.a11yDescription.default": t("graphLabels.edge"),
  "controls.ariaLabel": t("graphLabels.zoomControls"),
  "controls.zoomIn.ariaLabel": t("graphLabels.zoomIn"),
  "controls.zoomOut.ariaLabel": t("graphLabels.zoomOut"),
  "controls.fitView.ariaLabel": t("graphLabels.fitView"),
};
