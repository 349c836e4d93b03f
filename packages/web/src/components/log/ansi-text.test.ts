import { expect, test } from "vitest";
import { ansiSpans, plainText } from "./ansi-text.ts";

const esc = "\u001b";

test.each([
  ["plain", [{ text: "plain" }]],
  [`${esc}[31mred${esc}[0m rest`, [{ text: "red", tone: "red" }, { text: " rest" }]],
  [`${esc}[1;92mbright${esc}[0m`, [{ text: "bright", tone: "green", looks: ["bold"] }]],
  [`${esc}[38;5;196mpalette`, [{ text: "palette", tone: "red" }]],
  [`${esc}[38;2;20;200;220mtrue`, [{ text: "true", tone: "cyan" }]],
  [`${esc}[44mground`, [{ text: "ground", ground: "blue" }]],
])("colours become those of the theme: %j", (line, spans) => {
  expect(ansiSpans(line)).toEqual(spans);
});

test.each([
  ["hides nothing", `${esc}[8msecret`, "secret"],
  ["moves nothing", `a${esc}[2J${esc}[10;10Hb`, "ab"],
  ["shows other escapes", `${esc}]0;title\u0007`, "␛]0;title␇"],
  ["shows what turns the order of letters", "a\u202eb", "a<U+202E>b"],
  ["leaves markup as it is", "<script>alert(1)</script>", "<script>alert(1)</script>"],
])("a line %s", (_, line, shown) => {
  expect(
    ansiSpans(line)
      .map(({ text }) => text)
      .join(""),
  ).toBe(shown);
});

test("search sees the words without their colours", () => {
  expect(plainText(`${esc}[31mnot${esc}[0m found`)).toBe("not found");
});
