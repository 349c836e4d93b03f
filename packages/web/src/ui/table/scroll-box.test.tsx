import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { show } from "../show-component.tsx";
import { KeyTable } from "./scroll-box.tsx";

afterEach(cleanup);

test("on a phone the keys leave room for what they do", () => {
  show(<KeyTable keys={[["PageUp, PageDown", "a page up or down"]]} width={304} />);
  expect(screen.getByRole("rowheader").getAttribute("style")).toContain("max-width: 40vw");
});
