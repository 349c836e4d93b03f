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

test.each(["- ", "1. ", "> ", "> - "])("thousands of nested %j are shown as text, and take little time", (part) => {
  const text = `${part.repeat(20_000 / part.length)}a`;
  const startedAt = process.cpuUsage();
  show(<MarkdownText text={text} />);
  expect(document.body.textContent).toContain(text);
  expect(process.cpuUsage(startedAt).user).toBeLessThan(500_000);
});

test.each([
  ["marks of emphasis", "*_".repeat(10_000)],
  ["open marks of emphasis", "*a_ ".repeat(5_000)],
  ["emphasis in emphasis", `${"*a ".repeat(3_000)}${" a*".repeat(3_000)}`],
  ["strong emphasis in itself", `${"**".repeat(5_000)}a${"**".repeat(5_000)}`],
  ["links", "[a](b)".repeat(3_000)],
  ["marks behind a fence in a comment", `<!--\n\`\`\`\n-->\n${"*_".repeat(5_000)}\n\`\`\`\n`],
  ["marks behind a fence in a list", `- \`\`\`\n${"*_".repeat(5_000)}\n\`\`\`\n`],
  ["marks behind a longer fence", `\`\`\`\`\n\`\`\`\n\`\`\`\`\n${"*_".repeat(5_000)}`],
])("thousands of %s are shown as text, and hold up nobody", (_, text) => {
  const startedAt = process.cpuUsage();
  show(<MarkdownText text={text} />);
  expect(document.querySelector("em, strong, a")).toBeNull();
  expect(document.body.textContent).toContain(text);
  expect(process.cpuUsage(startedAt).user).toBeLessThan(500_000);
});

test("a block of code may have any marks, and other text is formatted beside it", () => {
  show(<MarkdownText text={`**bold**\n\n\`\`\`json\n${"[_a_]\n".repeat(500)}\`\`\`\n`} />);
  expect(screen.getByText("bold").tagName).toBe("STRONG");
  expect(document.querySelectorAll("pre code")).toHaveLength(1);
});
