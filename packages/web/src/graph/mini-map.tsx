import { Panel, useReactFlow, useStoreApi } from "@xyflow/react";
import { type PointerEvent, useEffect, useMemo, useRef } from "react";
import { type Box, boundsOf } from "./boxes.ts";
import classes from "./mini-map.module.css";
import { viewOf } from "./near-part.ts";

interface MiniMapProps {
  label: string;
  boxes: readonly (Box & { isChosen: boolean })[];
}

const size = { width: 160, height: 104 };
const margin = 8;

/**
 * The whole graph in small, with a frame around the visible part; a click or a drag scrolls there. All tasks are one shape, and when the
 * view moves, only the frame is updated.
 */
export function MiniMap({ label, boxes }: MiniMapProps) {
  const { setCenter, getZoom } = useReactFlow();
  const scale = useMemo(() => scaleFor(boundsOf(boxes)), [boxes]);
  const frame = useFrame(scale);
  const goThere = ({ currentTarget, buttons, clientX, clientY }: PointerEvent) => {
    if (buttons !== 1) return;
    const { left, top } = currentTarget.getBoundingClientRect();
    const [x, y] = [
      (clientX - left - currentTarget.clientLeft - scale.x) / scale.by,
      (clientY - top - currentTarget.clientTop - scale.y) / scale.by,
    ];
    void setCenter(x, y, { zoom: getZoom() });
  };
  return (
    <Panel position="bottom-right">
      <div
        className={`${classes.map} react-flow__minimap nopan nowheel`}
        style={size}
        role="img"
        aria-label={label}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          goThere(event);
        }}
        onPointerMove={goThere}
      >
        <svg width={size.width} height={size.height} aria-hidden>
          <path className={classes.task} d={shapeOf(boxes, scale, false)} />
          <path className={classes.chosen} d={shapeOf(boxes, scale, true)} />
        </svg>
        <div ref={frame} className={classes.frame} />
      </div>
    </Panel>
  );
}

interface Scale {
  by: number;
  x: number;
  y: number;
}

function scaleFor(all: Box | undefined): Scale {
  if (all === undefined) return { by: 1, x: 0, y: 0 };
  const by = Math.min((size.width - 2 * margin) / all.width, (size.height - 2 * margin) / all.height, 0.25);
  return { by, x: (size.width - all.width * by) / 2 - all.x * by, y: (size.height - all.height * by) / 2 - all.y * by };
}

function shapeOf(boxes: MiniMapProps["boxes"], { by, x, y }: Scale, isChosen: boolean): string {
  const round = (value: number) => Math.round(value * 10) / 10;
  return boxes
    .filter((box) => box.isChosen === isChosen)
    .map((box) => {
      const width = Math.max(1, round(box.width * by));
      return `M${round(x + box.x * by)},${round(y + box.y * by)}h${width}v${Math.max(1, round(box.height * by))}h${-width}z`;
    })
    .join("");
}

/** Follows the view without being rendered by React. */
function useFrame({ by, x, y }: Scale) {
  const store = useStoreApi();
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const place = () => {
      const { transform, width, height } = store.getState();
      const view = viewOf(transform, width, height);
      const style = frame.current?.style;
      if (!style) return;
      put(style, "transform", `translate(${(x + view.x * by).toFixed(1)}px, ${(y + view.y * by).toFixed(1)}px)`);
      put(style, "width", `${(view.width * by).toFixed(1)}px`);
      put(style, "height", `${(view.height * by).toFixed(1)}px`);
    };
    place();
    return store.subscribe(place);
  }, [store, by, x, y]);
  return frame;
}

function put(style: CSSStyleDeclaration, name: "transform" | "width" | "height", value: string): void {
  if (style[name] !== value) style[name] = value;
}
