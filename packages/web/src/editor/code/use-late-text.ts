import { useEffect, useRef } from "react";
import { flushSync } from "react-dom";

/** Longer texts take longer to parse than the pause between two keys. */
const longText = 20_000;
/** How long the typing pauses before a long text is read. */
const pauseMs = 300;

export interface LateText {
  /** What was typed and not read yet. */
  waiting: string | undefined;
  onChange: (text: string) => void;
}

/**
 * Reads a long text once typing pauses, instead of at each key. It is read before anything else happens to it: before a key chord such as
 * Ctrl S, when the focus leaves the editor, and when the editor closes.
 */
export function useLateText(write: (text: string) => void): LateText {
  const latest = useRef(write);
  latest.current = write;
  const waiting = useRef<string>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { current: late } = useRef({
    flush: () => {
      clearTimeout(timer.current);
      const text = waiting.current;
      waiting.current = undefined;
      if (text !== undefined) latest.current(text);
    },
    onChange: (text: string) => {
      waiting.current = text;
      if (text.length <= longText) return late.flush();
      clearTimeout(timer.current);
      timer.current = setTimeout(late.flush, pauseMs);
    },
  });
  useEffect(() => {
    const beforeChord = (event: KeyboardEvent) =>
      (event.ctrlKey || event.metaKey) && waiting.current !== undefined && flushSync(late.flush);
    window.addEventListener("keydown", beforeChord, { capture: true });
    window.addEventListener("focusout", late.flush);
    return () => {
      window.removeEventListener("keydown", beforeChord, { capture: true });
      window.removeEventListener("focusout", late.flush);
      late.flush();
    };
  }, [late]);
  return { onChange: late.onChange, waiting: waiting.current };
}
