import { cleanup } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import { callerQuery } from "../api/queries/identity/session.ts";
import { useKeptInTab } from "../hooks/kept-in-tab.ts";
import { showPages } from "../ui/show-component.tsx";
import { SignedInAlone } from "./page-frames.tsx";

afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

const kept = ["millrace-draft-shop/release", "millrace-pins-shop/release", "millrace-invitation"];
let seen: (string | null)[] = [];

function Page() {
  seen = kept.map((key) => sessionStorage.getItem(key));
  return null;
}

async function signIn(id: string) {
  cleanup();
  await showPages({ "/app": SignedInAlone, "/app/page": Page }, [[callerQuery.queryKey, { id, permissions: [], teams: [] }]], "/app/page");
  return seen;
}

test("what a tab keeps is of one user: the next one's pages find only the invitation", async () => {
  await signIn("user:ada");
  for (const key of kept) sessionStorage.setItem(key, "hers");
  expect(await signIn("user:ada")).toEqual(["hers", "hers", "hers"]);
  expect(await signIn("user:bob")).toEqual([null, null, "hers"]);
  expect(await signIn("user:bob")).toEqual([null, null, "hers"]);
});

test("what a page keeps when it is closed after its user has signed out is not for the next one", async () => {
  await signIn("user:ada");
  sessionStorage.clear();
  for (const key of kept) sessionStorage.setItem(key, "hers");
  expect(await signIn("user:bob")).toEqual([null, null, "hers"]);
});

function Draft() {
  const [draft] = useState(() => ({ by: "hers", first: sessionStorage.getItem("millrace-account") }));
  useKeptInTab("millrace-draft-shop/release", draft.first === "user:ada" ? () => draft : undefined);
  return null;
}

test("a page that is open when the session becomes another user's doesn't write the draft again", async () => {
  const caller = (id: string) => ({ id, permissions: [], teams: [] });
  const known = [[callerQuery.queryKey, caller("user:ada")]] as const;
  const { become } = await showPages({ "/app": SignedInAlone, "/app/page": Draft }, known, "/app/page");
  await become(callerQuery.queryKey, caller("user:bob"));
  await expect.poll(() => sessionStorage.getItem("millrace-account")).toBe("user:bob");
  window.dispatchEvent(new Event("pagehide"));
  expect(sessionStorage.getItem("millrace-draft-shop/release")).toBeNull();
});
