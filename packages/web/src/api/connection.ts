import { onlineManager } from "@tanstack/react-query";

/** signedOut: the service responds, but the session has ended. */
export type Connection = "online" | "offline" | "signedOut";

/**
 * Whether the service can be reached. After a failure (of a request, of the stream of changes, of the device's network), one small request
 * finds out, and is repeated until it succeeds. Meanwhile no other requests are sent: they wait, and continue by themselves.
 */
const againMs = 2_000;

/** 423: nobody is signed in, and the instance is not activated. */
export const isSignedOut = (status: number): boolean => status === 401 || status === 423;

let state: Connection = "online";
let isAsking = false;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

export const connection = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  get: (): Connection => state,
};

function set(next: Connection): void {
  if (next === state) return;
  state = next;
  // By this, the questions of the pages pause or continue.
  onlineManager.setOnline(next !== "offline");
  for (const listener of listeners) listener();
}

/** A request failed. */
export function recheckConnection(): void {
  // While the connection is known to be down, a timer repeats the check.
  if (!isAsking && timer === undefined) void ask();
}

/**
 * A request was rejected as not signed in, or takes long. On the pages where people sign in, accept an invitation or activate the instance, that is no news,
 * and the service would be asked every two seconds for as long as the page is open.
 */
export function recheckSession(): void {
  if (!/^\/(?:sign-in|activate)(?:\/|$)/.test(window.location.pathname)) recheckConnection();
}

async function ask(): Promise<void> {
  isAsking = true;
  clearTimeout(timer);
  timer = undefined;
  set(await answer());
  isAsking = false;
  if (state !== "online") timer = setTimeout(() => void ask(), againMs);
}

async function answer(): Promise<Connection> {
  if (!navigator.onLine) return "offline";
  try {
    const { status } = await fetch("/api/v2/auth/caller", { cache: "no-store", signal: AbortSignal.timeout(againMs) });
    // A proxy returns these when it can't reach the service.
    if (status === 502 || status === 504) return "offline";
    return isSignedOut(status) ? "signedOut" : "online";
  } catch {
    return "offline";
  }
}

/** The browser reports when the device goes offline or online. */
export function watchNetwork(): void {
  window.addEventListener("offline", recheckConnection);
  window.addEventListener("online", recheckConnection);
}
