import { type RefObject, useEffect, useState } from "react";
import type { Box } from "../../graph/boxes.ts";
import { few, nearView } from "../../graph/near-part.ts";
import type { Placed } from "./picture-of-graph.ts";

const nothing: Box = { x: 0, y: 0, width: 0, height: 0 };

/**
 * The part of a large picture to render: what its box shows, and some space around it. A thousand tasks are 15,000 elements, which take
 * longer than all the rest of a page. Undefined: everything.
 * @param scroller the box in which the picture scrolls
 */
export function useNearPart(scroller: RefObject<HTMLElement | null>, { nodes, width }: Placed, zoom: number): Box | undefined {
  const [near, setNear] = useState(nothing);
  const isLarge = nodes.length > few;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the zoom changes the size of the picture, which is looked at here
  useEffect(() => {
    const box = scroller.current;
    const picture = box?.querySelector("svg");
    if (!isLarge || !box || !picture) return;
    let kept: Box | undefined;
    const look = () => {
      const scale = picture.getBoundingClientRect().width / width;
      if (!(scale > 0)) return;
      const { scrollLeft, scrollTop, clientWidth, clientHeight } = box;
      const seen = { x: scrollLeft / scale, y: scrollTop / scale, width: clientWidth / scale, height: clientHeight / scale };
      const next = nearView(seen, kept);
      if (next !== kept) setNear(next);
      kept = next;
    };
    const sizes = new ResizeObserver(look);
    for (const each of [box, picture]) sizes.observe(each);
    box.addEventListener("scroll", look, { passive: true });
    return () => {
      sizes.disconnect();
      box.removeEventListener("scroll", look);
    };
  }, [scroller, isLarge, width, zoom]);
  return isLarge ? near : undefined;
}
