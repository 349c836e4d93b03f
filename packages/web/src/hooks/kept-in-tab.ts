import { useEffect, useRef } from "react";

/**
 * What a tab keeps in `sessionStorage`: unsaved drafts, pinned results, the last list of runs. It survives a reload, and browsers write it to
 * the disk to restore it after a crash. So it holds no secrets. It is of the user who is signed in: signing out empties it; but a session
 * also ends by itself, and the next one in this tab may be someone else's.
 */
const lastAccount = "millrace-account";

/** The token of an invitation. It stays: an invited person may have to sign in as someone else first. */
export const invitationKey = "millrace-invitation";

/** Empties the storage if it is another user's. Before anything reads from it. @param account the id of the signed-in user */
export function keepToAccount(account: string): void {
  if (sessionStorage.getItem(lastAccount) === account) return;
  // Without an account, too: a page with unsaved changes keeps them when it is closed, also after its user has signed out.
  for (const key of Object.keys(sessionStorage)) if (key !== invitationKey) sessionStorage.removeItem(key);
  sessionStorage.setItem(lastAccount, account);
}

/** If it is too large for the browser, nothing is kept: what was kept before is older than what the user sees. */
export function keepInTab(key: string, value: object): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    sessionStorage.removeItem(key);
  }
}

export function keptInTab<Value>(key: string): Value | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(key) ?? "null") as Value | null) ?? undefined;
  } catch {
    return undefined;
  }
}

export function forgetInTab(key: string): void {
  sessionStorage.removeItem(key);
}

/** Milliseconds. A large workflow takes some to write. */
const pause = 300;

/**
 * Keeps something that changes: after a pause in the changes, and when the page is closed or reloaded.
 * @param key undefined: what is kept stays as it is
 * @param valueNow what to keep, asked for when it is written; undefined forgets what was kept after the next render. Where that renders
 * another page, which may read it, also call `forgetInTab`
 */
export function useKeptInTab(key: string | undefined, valueNow: (() => object | undefined) | undefined): void {
  const keep = useRef(() => {});
  keep.current = () => {
    const value = key === undefined ? undefined : valueNow?.();
    if (key !== undefined && value !== undefined) keepInTab(key, value);
  };
  useEffect(() => {
    if (key !== undefined && valueNow === undefined) return forgetInTab(key);
    const timer = setTimeout(() => keep.current(), pause);
    return () => clearTimeout(timer);
  });
  useEffect(() => {
    const last = () => keep.current();
    window.addEventListener("pagehide", last);
    return () => window.removeEventListener("pagehide", last);
  }, []);
}
