import { cleanup, screen } from "@testing-library/react";
import { createPortal } from "react-dom";
import { afterEach, expect, test } from "vitest";
import { show } from "../../ui/show-component.tsx";
import { useLeaveByEscape } from "./use-leave.ts";

afterEach(cleanup);

function Form({ onLeave }: { onLeave: () => void }) {
  return (
    <section aria-label="Form" onKeyDown={useLeaveByEscape(onLeave)}>
      <input aria-label="Name" />
      {/* As the editor of scripts is drawn. */}
      <div className="cm-editor">
        <textarea aria-label="Script" />
      </div>
      {createPortal(<input aria-label="In a dialog" />, document.body)}
    </section>
  );
}

test("Escape leaves the form, in a script the second one; that of a dialog above it doesn't", async () => {
  let left = 0;
  const { user } = show(<Form onLeave={() => left++} />);
  const press = async (field: string, keys: string) => {
    const before = left;
    (await screen.findByLabelText(field)).focus();
    await user.keyboard(keys);
    return left - before;
  };
  expect(await press("Name", "{Escape}")).toBe(1);
  expect(await press("Script", "{Escape}")).toBe(0);
  expect(await press("Script", "{Escape}")).toBe(1);
  expect(await press("Script", "{Escape}{ArrowLeft}{Escape}"), "with another key between").toBe(0);
  expect(await press("In a dialog", "{Escape}")).toBe(0);
});
