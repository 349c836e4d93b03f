import { type RefObject, useLayoutEffect, useRef } from "react";
import type { Part } from "../node/expressions.ts";
import classes from "./reference-field.module.css";

interface FieldUnderlinesProps {
  field: RefObject<HTMLInputElement | HTMLTextAreaElement | null>;
  text: string;
  parts: readonly Part[];
}

/**
 * Underlines parts of the text in a field, with an invisible copy of the text exactly on top of it: a field itself can't style parts of its
 * text.
 */
export function FieldUnderlines({ field, text, parts }: FieldUnderlinesProps) {
  const layer = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const [input, own] = [field.current, layer.current];
    if (!input || !own) return;
    const follow = () => {
      const style = getComputedStyle(input);
      for (const name of ["font", "letterSpacing", "padding", "textIndent"] as const) own.style[name] = style[name];
      const place = input.getBoundingClientRect();
      const around = own.parentElement?.getBoundingClientRect() ?? place;
      Object.assign(own.style, {
        left: `${place.left - around.left + input.clientLeft}px`,
        top: `${place.top - around.top + input.clientTop}px`,
        width: `${input.clientWidth}px`,
        height: `${input.clientHeight}px`,
        whiteSpace: input instanceof HTMLTextAreaElement ? "pre-wrap" : "pre",
        lineHeight: input instanceof HTMLTextAreaElement ? style.lineHeight : `${input.clientHeight}px`,
      });
      own.scrollTo(input.scrollLeft, input.scrollTop);
    };
    follow();
    input.addEventListener("scroll", follow);
    return () => input.removeEventListener("scroll", follow);
  });
  return (
    <div ref={layer} className={classes.underlines} aria-hidden>
      {piecesOf(text, parts).map(({ at, piece, isMarked }) => (isMarked ? <u key={at}>{piece}</u> : piece))}
    </div>
  );
}

function piecesOf(text: string, parts: readonly Part[]) {
  let at = 0;
  const pieces = parts.flatMap(({ from, to }) => {
    const both = [
      { at, piece: text.slice(at, from), isMarked: false },
      { at: from, piece: text.slice(from, to), isMarked: true },
    ];
    at = to;
    return both;
  });
  return [...pieces, { at, piece: text.slice(at), isMarked: false }];
}
