import { type ReactNode, Suspense, useLayoutEffect, useRef } from "react";

interface LateOverlayProps {
  /** Closes what is being opened. */
  onClose: () => void;
  /** Takes the text that is typed before the overlay can take it. Without it, the page keeps its keys. */
  onText?: (text: string) => void;
  /** Shown until the overlay is loaded. */
  fallback?: ReactNode;
  /** The overlay, whose code is loaded when it is first opened. */
  children: ReactNode;
}

/**
 * An overlay that is loaded when it is opened. Keys don't wait for it: while it is loading, Escape closes it as it would afterwards, so that
 * it doesn't open over the page that the user went back to.
 */
export function LateOverlay({ onClose, onText, fallback, children }: LateOverlayProps) {
  const waiting = (
    <>
      <EarlyKeys onClose={onClose} {...(onText && { onText })} />
      {fallback}
    </>
  );
  return <Suspense fallback={waiting}>{children}</Suspense>;
}

/** Handles keys before the page does: the page lies below what is being opened. */
function EarlyKeys({ onClose, onText }: Pick<LateOverlayProps, "onClose" | "onText">) {
  const handlers = useRef({ onClose, onText });
  handlers.current = { onClose, onText };
  // Before the next key can be pressed; an effect may run after it.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isText = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (event.key === "Escape") handlers.current.onClose();
      else if (isText && handlers.current.onText) handlers.current.onText(event.key);
      else return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    window.addEventListener("keydown", onKey, { capture: true });
    return () => window.removeEventListener("keydown", onKey, { capture: true });
  }, []);
  return null;
}
