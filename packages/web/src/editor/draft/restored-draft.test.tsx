import { Link } from "@tanstack/react-router";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { LoadedWorkflow } from "../../api/queries/workflow/workflow-draft.ts";
import { service } from "../../ui/answer-requests.ts";
import { showPage, showPages } from "../../ui/show-component.tsx";
import type { Draft } from "./draft.ts";
import { useDraft } from "./draft-context.ts";
import { RestoredNotice } from "./draft-notices.tsx";
import { DraftProvider } from "./draft-provider.tsx";
import { useSaving } from "./save-context.ts";

afterEach(() => {
  cleanup();
  sessionStorage.clear();
  service.byEnd.clear();
});

const key = "millrace-draft-shop/release";
const version = (number: number, more: object = {}) =>
  ({ data: { name: "release", version: number, params: [], tasks: [{ name: "ship" }], ...more }, etag: String(number) }) as LoadedWorkflow;

function Page() {
  const { history, change, dispatch, pendingText, setPendingText, catalog } = useDraft();
  const { save, newer } = useSaving();
  const add = (more: object) => () => change((draft) => ({ ...draft, ...more }) as Draft);
  const password = { params: [{ name: "pin", type: "password", default: "hunter22" }] };
  return (
    <>
      <RestoredNotice />
      {catalog && <i>tasks loaded</i>}
      <pre>
        {JSON.stringify([history.present["timeout"] ?? 0, history.present["retries"] ?? 0, pendingText?.text ?? "", newer?.etag ?? ""])}
      </pre>
      {Object.entries({
        timeout: add({ timeout: 5 }),
        password: add(password),
        unreadable: () => setPendingText({ text: "password: hunter22\\ntasks: [", format: "yaml", faults: [] }),
        save: () => save(),
        retries: add({ retries: 7 }),
        older: add({ tasks: [{ name: "ship", taskRef: "send", taskVersion: 1, params: [{ name: "password", value: "hunter22" }] }] }),
        undo: () => dispatch({ type: "undo" }),
      }).map(([name, act]) => (
        <button key={name} type="button" onClick={act}>
          {name}
        </button>
      ))}
    </>
  );
}

async function open(loaded: LoadedWorkflow, whyNotEdit?: string, at?: string) {
  cleanup();
  service.byEnd.set("/validate", () => ({ status: 200, body: [] }));
  await showPage(
    <DraftProvider team="shop" workflow="release" loaded={loaded} whyNotEdit={whyNotEdit}>
      <Page />
    </DraftProvider>,
    [],
    at,
  );
}

const press = (name: string) => fireEvent.click(screen.getByText(name));
const shown = () => JSON.parse(document.querySelector("pre")?.textContent ?? "") as unknown;
const leave = () => window.dispatchEvent(new Event("pagehide"));
const notice = () => screen.queryByRole("status")?.textContent ?? "";

test("unsaved changes are there after a reload, can be discarded, and that can be undone", async () => {
  await open(version(1));
  press("timeout");
  leave();
  await open(version(1));
  expect(shown()).toEqual([5, 0, "", ""]);
  expect(notice()).toContain("Your unsaved changes from");
  press("Discard them");
  expect([shown(), notice()]).toEqual([[0, 0, "", ""], ""]);
  await expect.poll(() => sessionStorage.getItem(key)).toBeNull();
  press("undo");
  expect(shown()).toEqual([5, 0, "", ""]);
});

test("code that can't be read yet is not kept, since a secret could be in it; what was changed before it is", async () => {
  await open(version(1));
  press("timeout");
  press("unreadable");
  leave();
  expect(inStorage()).not.toContain("hunter22");
  await open(version(1));
  expect([shown(), notice()]).toEqual([[5, 0, "", ""], expect.stringContaining("restored")]);
});

test("what someone else saved meanwhile is merged; what both changed is compared", async () => {
  await open(version(1));
  press("timeout");
  leave();
  await open(version(2, { retries: 3 }));
  await expect.poll(shown).toEqual([5, 3, "", ""]);
  await open(version(3, { timeout: 9 }));
  await expect.poll(shown).toEqual([5, 0, "", "3"]);
});

test("a secret is not kept, and is asked for again", async () => {
  await open(version(1));
  press("password");
  press("timeout");
  leave();
  expect(sessionStorage.getItem(key)).not.toContain("hunter22");
  await open(version(1));
  expect(notice()).toContain("Enter them again: pin.");
});

test("a draft that is discarded when another page is opened is not kept, however long that page takes", async () => {
  const { user } = await showPages(
    {
      "/shop": () => (
        <>
          <Link to={"/elsewhere" as string}>elsewhere</Link>
          <DraftProvider team="shop" workflow="release" loaded={version(1)} whyNotEdit={undefined}>
            <Page />
          </DraftProvider>
        </>
      ),
    },
    [],
    "/shop",
  );
  press("timeout");
  await expect.poll(() => sessionStorage.getItem(key)).toContain('"timeout":5');
  await user.click(screen.getByText("elsewhere"));
  await user.click(await screen.findByText("Discard and leave"));
  expect(sessionStorage.getItem(key)).toBeNull();
  leave();
  expect(sessionStorage.getItem(key)).toBeNull();
});

test("a draft that was saved is not kept", async () => {
  service.byEnd.set("/team/shop/workflow", () => ({ status: 200, body: { ...version(2).data, timeout: 5 } }));
  await open(version(1));
  press("timeout");
  await expect.poll(() => sessionStorage.getItem(key)).toContain('"timeout":5');
  press("save");
  await expect.poll(() => sessionStorage.getItem(key)).toBeNull();
});

test("who may not edit sees what is saved, and the changes stay kept", async () => {
  await open(version(1));
  press("timeout");
  leave();
  const kept = sessionStorage.getItem(key);
  await open(version(1), "no permission");
  leave();
  expect([shown(), notice(), sessionStorage.getItem(key)]).toEqual([[0, 0, "", ""], "", kept]);
});

/** The definitions of tasks, of which the newest `send` no longer has the secret that version 1 has. */
const catalog = (names: readonly string[]) =>
  service.byEnd.set("/task/query", () => ({
    status: 200,
    body: { content: [{ name: "send", version: 2, type: "script", spec: { params: names.map((name) => ({ name, type: "password" })) } }] },
  }));
const inStorage = () => sessionStorage.getItem(key) ?? "";

test("which secrets to enter again is known after a second reload, too", async () => {
  catalog([]);
  await open(version(1));
  press("password");
  leave();
  await open(version(1));
  expect(notice()).toContain("Enter them again: pin.");
  leave();
  await open(version(1));
  expect(notice()).toContain("Enter them again: pin.");
});

test("what is changed after a restore is kept where the tasks are not loaded, too", async () => {
  catalog([]);
  await open(version(1));
  press("timeout");
  leave();
  await open(version(1), undefined, "/shop/workflows/release/configure/general");
  press("retries");
  await expect.poll(inStorage).toContain('"retries":7');
});

test("a secret of the version of a task that the workflow uses is left out, though the newest version has none", async () => {
  catalog([]);
  service.byEnd.set("/task/send", () => ({
    status: 200,
    body: { name: "send", version: 1, type: "script", spec: { params: [{ name: "password", type: "password" }] } },
  }));
  await open(version(1));
  await screen.findByText("tasks loaded");
  press("older");
  await expect.poll(inStorage).toContain('"taskVersion":1');
  expect(inStorage()).not.toContain("hunter22");
});

test.each(["{}", "[]", "5", '{"base":null,"draft":null}', '{"base":{"data":{}},"draft":{"params":null,"tasks":null}}'])(
  "what can't be a draft is ignored: %s",
  async (kept) => {
    sessionStorage.setItem(key, kept);
    await open(version(1));
    expect(shown()).toEqual([0, 0, "", ""]);
  },
);

test("the draft of a deleted workflow is not for the next one of the same name", async () => {
  await open(version(1, { id: "first" }));
  press("timeout");
  leave();
  await open(version(1, { id: "second" }));
  expect([shown(), notice()]).toEqual([[0, 0, "", ""], ""]);
});
