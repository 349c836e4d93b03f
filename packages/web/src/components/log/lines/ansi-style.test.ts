import { expect, test } from "vitest";
import { styleAfter } from "./ansi-style.ts";
import { ansiSpans } from "./ansi-text.ts";

const esc = "\u001b";

test.each([
  ["is what it was behind a plain line", "31", "plain", "31"],
  ["is what the line leaves on", "", `${esc}[1;31mred`, "1;31"],
  ["is plain behind a reset", "1;31", `red${esc}[0m`, ""],
  ["is plain behind the short form of a reset", "1;31", `red${esc}[m`, ""],
  ["is what comes behind the reset", "31", `red${esc}[0;32mgreen`, "32"],
  ["has one colour, the last", "31", `${esc}[92mbright`, "92"],
  ["has one ground beside it", "31", `${esc}[44mground`, "31;44"],
  ["keeps colours of the palette whole", "", `${esc}[38;5;1;4mpalette`, "38;5;1;4"],
  ["keeps colours by their parts whole", "", `${esc}[48;2;0;31;39mtrue`, "48;2;0;31;39"],
  ["loses the colour of the letters alone", "1;31;44", `${esc}[39mplain`, "1;44"],
  ["loses the ground alone", "31;44", `${esc}[49mplain`, "31"],
  ["loses bold and dim at once", "1;2;3", `${esc}[22mnormal`, "3"],
  ["isn't changed by what moves or wipes", "31", `${esc}[2J${esc}[10;10Hb${esc}]0;title`, "31"],
])("the pen %s", (_, pen, line, after) => {
  expect(styleAfter(pen, line)).toBe(after);
});

test.each([
  ["31", "red still", [{ text: "red still", tone: "red" }]],
  ["1;44", `on${esc}[0m off`, [{ text: "on", ground: "blue", looks: ["bold"] }, { text: " off" }]],
  ["", "plain", [{ text: "plain" }]],
])("a line begins with the pen of the lines above: %j", (pen, line, spans) => {
  expect(ansiSpans(line, pen)).toEqual(spans);
});
