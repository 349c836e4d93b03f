import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";

/**
 * The letter to press after `g`, by the end of the URL. The URLs come from `GET /api/v2/navigation`: keys for pages that the navigation
 * doesn't show have no effect.
 */
const letters: Readonly<Record<string, string>> = {
  "/home": "h",
  "/workflows": "w",
  "/activity": "a",
  "/actions": "i",
  "/insights": "n",
  "/schedules": "s",
  "/integrations": "o",
  "/task-manager": "t",
  "/parameters": "p",
  "/manage": "m",
  "/admin/teams": "d",
};

export interface Place {
  name: string;
  link: string;
}

/** The letter after `g` that opens this URL. */
export function letterOf(link: string): string | undefined {
  return letters[link] ?? (link.startsWith("/admin/") ? undefined : letters[link.slice(link.indexOf("/", 1))]);
}

/** The page that `g` and this letter open. */
export function placeOf(letter: string, places: readonly Place[]): Place | undefined {
  return places.find(({ link }) => letterOf(link) === letter);
}

/** Whether key presses are text input, or belong to a dialog or a menu. Shortcuts of the page are ignored there. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest("input:not([type=checkbox]), textarea, select, [contenteditable=true], [role=dialog], [role=menu]") !== null;

const linkOfRow = "a[href], button:not([disabled])";

/** Moves the focus to the next or previous row of the page's tables, onto the link that opens it. */
function stepRow(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>("main tbody tr")].filter(
    (row) => targetOf(row) !== null && row.offsetParent !== null,
  );
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const row = rows[at === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))];
  if (row !== undefined) targetOf(row)?.focus();
}

function targetOf(row: HTMLElement): HTMLElement | null {
  return row.querySelector<HTMLElement>("[data-row-link]") ?? row.querySelector<HTMLElement>(linkOfRow);
}

/** Moves the focus to the search field of the page's list. */
function focusFilter(): void {
  const named = document.querySelector<HTMLElement>("main [data-list-filter]");
  (named ?? document.querySelector<HTMLElement>("main input[type=search], main input[type=text]:not([aria-haspopup])"))?.focus();
}

/** How long to wait for the second key of a sequence. */
const patienceMs = 1_500;

interface PageKeys {
  places: readonly Place[];
  onHelp: () => void;
  onFold: () => void;
}

/** The shortcuts that work on every page. A page that uses one of these keys itself calls `preventDefault`. */
export function usePageKeys({ places, onHelp, onFold }: PageKeys): void {
  const navigate = useNavigate();
  const goingSince = useRef(0);
  useEffect(() => {
    // Handled before the page's own keys: `a` after `g` is not the page's `a`.
    const onGo = (event: KeyboardEvent) => {
      if (isModified(event) || isTyping(event.target)) return;
      // Tab, Enter and the like continue doing what they do.
      const isGoing = event.key.length === 1 && Date.now() - goingSince.current < patienceMs;
      goingSince.current = event.key === "g" && !isGoing ? Date.now() : 0;
      if (event.key !== "g" && !isGoing) return;
      event.stopPropagation();
      event.preventDefault();
      const place = isGoing ? placeOf(event.key, places) : undefined;
      if (place !== undefined) void navigate({ to: place.link });
    };
    // Handled after the page's own keys.
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isModified(event) || isTyping(event.target)) return;
      const commands: Record<string, () => void> = {
        "?": onHelp,
        "[": onFold,
        j: () => stepRow(1),
        k: () => stepRow(-1),
        "/": focusFilter,
      };
      const command = Object.hasOwn(commands, event.key) ? commands[event.key] : undefined;
      if (command === undefined) return;
      event.preventDefault();
      command();
    };
    window.addEventListener("keydown", onGo, { capture: true });
    window.addEventListener("keydown", onKey);
    return () => {
      window.removeEventListener("keydown", onGo, { capture: true });
      window.removeEventListener("keydown", onKey);
    };
  }, [places, onHelp, onFold, navigate]);
}

function isModified({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return ctrlKey || metaKey || altKey;
}
