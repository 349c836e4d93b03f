import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { MarkdownText } from "./markdown-text.tsx";
import { show } from "./show-component.tsx";

afterEach(cleanup);

test("Markdown of the author of a workflow is formatted, without HTML and pictures", () => {
  show(<MarkdownText text={"- **bold** <b>html</b>\n  - nested\n\n![a picture](https://example.com/x.png)"} />);
  expect(screen.getByText("bold").tagName).toBe("STRONG");
  expect(screen.getAllByRole("list")).toHaveLength(2);
  expect([document.querySelector("img"), document.querySelector("b")]).toEqual([null, null]);
});

test.each(["- ", "1. ", "> ", "> - "])("thousands of %j in each other are shown as text, and hold up nobody", (part) => {
  const text = `${part.repeat(20_000 / part.length)}a`;
  const startedAt = process.cpuUsage();
  show(<MarkdownText text={text} />);
  expect(document.body.textContent).toContain(text);
  expect(process.cpuUsage(startedAt).user).toBeLessThan(500_000);
});
