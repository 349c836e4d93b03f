import { type ReactNode, useEffect, useRef, useState } from "react";
import classes from "./scroll-box.module.css";

interface ScrollBoxProps {
  /** What is in it, for people who don't see it. */
  label: string;
  /** In pixels; what is higher scrolls inside. */
  maxHeight?: number | undefined;
  /** Without a frame and a region of its own, in a part of the page that has both already. */
  isBare?: boolean;
  children: ReactNode;
}

/**
 * The one box in which something wide scrolls. While everything fits it is a plain frame, so that the head of a table can stay below
 * the header of the page; once it scrolls it takes the keyboard's focus.
 */
export function ScrollBox({ label, maxHeight, isBare = false, children }: ScrollBoxProps) {
  const box = useRef<HTMLElement>(null);
  const isWide = useIsTooWide(box);
  const scrolls = isWide || maxHeight !== undefined;
  return (
    <section
      ref={box}
      className={classes.box}
      aria-label={label}
      {...(isBare && { role: "group" })}
      data-scrolls={scrolls || undefined}
      data-bare={isBare || undefined}
      style={{ maxHeight }}
      {...(scrolls && { tabIndex: 0 })}
    >
      {children}
    </section>
  );
}

/** Whether its content is wider than the element. Both are watched: a column may grow, or the window may shrink. */
function useIsTooWide(element: { readonly current: HTMLElement | null }): boolean {
  const [isTooWide, setTooWide] = useState(false);
  useEffect(() => {
    const box = element.current;
    const content = box?.firstElementChild;
    if (!box || !content) return;
    const measure = () => setTooWide(content.getBoundingClientRect().width > box.clientWidth + 1);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    observer.observe(content);
    return () => observer.disconnect();
  }, [element]);
  return isTooWide;
}
