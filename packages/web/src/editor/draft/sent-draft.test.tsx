import { useQueryClient } from "@tanstack/react-query";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { LoadedWorkflow } from "../../api/queries/workflow/workflow-draft.ts";
import { service } from "../../ui/answer-requests.ts";
import { showPage } from "../../ui/show-component.tsx";
import { useDraft } from "./draft-context.ts";
import { DraftProvider } from "./draft-provider.tsx";
import { useSaving } from "./save-context.ts";

afterEach(() => {
  cleanup();
  service.byEnd.clear();
});

const loaded = { data: { name: "release", version: 1, params: [], tasks: [{ name: "ship" }] }, etag: "1" } as LoadedWorkflow;

function Header() {
  const { isDirty, dispatch } = useDraft();
  const { isSent, save } = useSaving();
  const client = useQueryClient();
  const change = () => dispatch({ type: "change", change: (draft) => ({ ...draft, tasks: [{ name: "again" }] }) as typeof draft });
  return (
    <>
      <output>{isDirty ? (isSent ? "sent" : "not saved") : "saved"}</output>
      <button type="button" onClick={change}>
        change
      </button>
      <button type="button" onClick={() => save({ message: "more" })}>
        save
      </button>
      <button type="button" onClick={() => void client.invalidateQueries({ queryKey: ["action"] })}>
        news
      </button>
    </>
  );
}

test.each(["rejected", "cancelled"])("a draft that was sent for approval is one that is not saved again when it is %s", async (end) => {
  let status = "submitted";
  const refusal = { status: 409, reason: "WORKFLOW_PROTECTED", message: "Sent", errors: [{ path: "/action", message: "a" }] };
  service.byEnd.set("/action/a", () => ({ status: 200, body: { id: "a", status } }));
  service.byEnd.set("/team/shop/workflow", () => ({ status: 409, body: refusal }));
  service.byEnd.set("/validate", () => ({ status: 200, body: [] }));
  await showPage(
    <DraftProvider team="shop" workflow="release" loaded={loaded} whyNotEdit={undefined}>
      <Header />
    </DraftProvider>,
  );
  const shown = () => screen.getByRole("status").textContent;
  fireEvent.click(screen.getByText("change"));
  fireEvent.click(screen.getByText("save"));
  await expect.poll(shown).toBe("sent");
  status = end;
  fireEvent.click(screen.getByText("news"));
  await expect.poll(shown).toBe("not saved");
});
