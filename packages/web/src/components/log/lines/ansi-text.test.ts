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
  ["shows every mark of direction", "\u061c\u200e\u2066x\u2069", "<U+061C><U+200E><U+2066>x<U+2069>"],
  ["shows what is not seen", "a\u200bb\ufeffc\u00add\u{e0041}", "a<U+200B>b<U+FEFF>c<U+00AD>d<U+E0041>"],
  [
    "keeps letters and emoji that are joined",
    "\u0645\u06cc\u200c\u062e \u{1f469}\u200d\u{1f4bb}",
    "\u0645\u06cc\u200c\u062e \u{1f469}\u200d\u{1f4bb}",
  ],
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
  expect(plainText("not \u202efound")).toBe("not <U+202E>found");
});
