import { type KeyboardEvent, useRef } from "react";

/**
 * The key handler of a form that Escape leaves. What Escape closes first in it, such as suggestions or an open choice, it only closes. In a
 * text editor, the first Escape lets Tab continue, and the second one leaves the form.
 */
export function useLeaveByEscape(onLeave: () => void): (event: KeyboardEvent<HTMLElement>) => void {
  const isSecond = useRef(false);
  return (event) => {
    const wasEscape = isSecond.current;
    isSecond.current = false;
    const { target, currentTarget, defaultPrevented, key } = event;
    if (key !== "Escape" || defaultPrevented || !(target instanceof HTMLElement)) return;
    // A dialog or a list opened from here is drawn elsewhere in the page.
    const isOthers = target.getAttribute("data-mantine-stop-propagation") === "true" || !currentTarget.contains(target);
    if (isOthers) return;
    isSecond.current = target.closest(".cm-editor") !== null && !wasEscape;
    if (!isSecond.current) onLeave();
  };
}
