import { cleanup, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, test } from "vitest";
import { FirstFieldContext, firstField, useTakesFocus } from "./first-field.ts";

afterEach(cleanup);

test("the focus starts at the script, or else at a required field, or else at the only field", () => {
  const path = { name: "path", type: "text" };
  const url = { name: "url", type: "text", required: true };
  const kind = { name: "kind", type: "select", required: true };
  const script = { name: "script", type: "texteditor::shell", required: true };
  expect(firstField([path, url, script])).toBe("script");
  expect(firstField([path, kind, url])).toBe("url");
  expect(firstField([path])).toBe("path");
  expect(firstField([path, kind])).toBeUndefined();
  expect(firstField([])).toBeUndefined();
});

test("the form of the requested task takes the focus once; the form of another task doesn't", () => {
  const wanted = { current: "price" as string | undefined };
  const wrapper = ({ children }: { children: ReactNode }) => <FirstFieldContext value={wanted}>{children}</FirstFieldContext>;
  const takes = (task: string) => renderHook(() => useTakesFocus(task), { wrapper }).result.current;
  expect(takes("fetch")).toBe(false);
  expect(takes("price")).toBe(true);
  expect(takes("price")).toBe(false);
});
