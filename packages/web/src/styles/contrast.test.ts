import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const tokens = readFileSync(fileURLToPath(new URL("tokens.css", import.meta.url)), "utf8");
const [light, dark] = tokens.split('[data-mantine-color-scheme="dark"]').map(coloursIn) as [Colours, Colours];
const themes: [string, Colours][] = [
  ["light", light],
  ["dark", { ...light, ...dark }],
];

type Colours = Record<string, string>;

function coloursIn(css: string): Colours {
  return Object.fromEntries([...css.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, colour]) => [name, colour]));
}

const channels = (colour: string) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
/** That much of one colour over another. */
const over = (one: string, part: number, other: string) => {
  const below = channels(other);
  const mixed = channels(one).map((value, index) => Math.round(value * part + (below[index] ?? 0) * (1 - part)));
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
};

/** WCAG 2.2: relative luminance and contrast ratio. */
function contrast(one: string, other: string): number {
  const [bright = 0, dim = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (bright + 0.05) / (dim + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const statuses = ["waiting", "running", "succeeded", "failed", "cancelled", "skipped", "queued"].map((word) => `status-${word}`);
const grounds = ["ground", "ground-raised", "ground-sunken", "ground-hover", "accent-ground"];
/** Where code is highlighted: the editor, its selection, its search results, and the lines of a comparison. */
const codeGrounds = [...grounds, "status-waiting-ground", "status-succeeded-ground"];
const codeInks = ["ink", "ink-quiet", "accent", "status-running", "status-succeeded", "status-waiting", "status-failed"];

test.each(themes)("text has a contrast of 4.5 on every background that it stands on, in the %s theme", (_, colours) => {
  const pairs = [
    ...["ink", "ink-quiet", "accent", ...statuses].flatMap((ink) => grounds.map((ground) => [ink, ground])),
    ...statuses.flatMap((status) => [status, "ink"].map((ink) => [ink, `${status}-ground`])),
    ...codeInks.flatMap((ink) => codeGrounds.map((ground) => [ink, ground])),
    ["sign-ink", "sign"],
  ] as [string, string][];
  expect(pairs.filter(([ink, ground]) => contrast(colours[ink] ?? "", colours[ground] ?? "") < 4.5)).toEqual([]);
});

/** Lines of graphs, charts and fields, focus rings, the marks of the mini map, and points of charts, which are partly transparent. */
test.each(themes)("graphics have a contrast of 3 on every background that they are drawn on, in the %s theme", (_, colours) => {
  const of = (name: string) => colours[name] ?? "";
  const shade = over(of("line"), 0.5, of("ground"));
  const pairs = [
    ...["line-strong", "focus"].flatMap((line) => grounds.map((ground) => [`${line} on ${ground}`, of(line), of(ground)])),
    ...["line-strong", "accent"].map((mark) => [`${mark} in the shade of the mini map`, of(mark), shade]),
    ...statuses.map((status) => [`a point of ${status}`, over(of(status), 0.75, of("ground")), of("ground")]),
  ] as [string, string, string][];
  expect(pairs.filter(([, one, other]) => contrast(one, other) < 3).map(([name]) => name)).toEqual([]);
});
