import Anser from "anser";
import type { AnsiStyle } from "./ansi-style.ts";

/** The colour names of terminals. Each maps to a token of the theme, so that the text is readable in both themes. */
export type AnsiTone = "black" | "red" | "green" | "yellow" | "blue" | "magenta" | "cyan" | "white";

/** A piece of text with a single style. */
export interface AnsiSpan {
  text: string;
  tone?: AnsiTone;
  ground?: AnsiTone;
  /** Any of: bold, dim, italic, underline, strikethrough. */
  looks?: string[];
}

const names: readonly AnsiTone[] = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];
const shown = new Set(["bold", "dim", "italic", "underline", "strikethrough"]);

/**
 * A line of a log as styled spans. A line can only set colours and attributes: it can't move the cursor, hide text or create links, and
 * control characters are replaced with visible symbols.
 * @param pen the style that the previous lines left set
 */
export function ansiSpans(line: string, pen: AnsiStyle = ""): AnsiSpan[] {
  if (pen === "" && !line.includes("\u001b[")) return [{ text: printable(line) }];
  return Anser.ansiToJson(pen === "" ? line : `\u001b[${pen}m${line}`, { use_classes: true, remove_empty: true }).map((part) => {
    const [front, back] = [toneOf(part.fg, part.fg_truecolor), toneOf(part.bg, part.bg_truecolor)];
    const decorations: readonly string[] = part.decorations;
    const [tone, ground] = decorations.includes("reverse") ? [back, front ?? "white"] : [front, back];
    const looks = decorations.filter((look) => shown.has(look));
    return {
      text: printable(part.content),
      ...(tone !== undefined && { tone }),
      ...(ground !== undefined && { ground }),
      ...(looks.length > 0 && { looks }),
    };
  });
}

/** The plain text, for searching. */
export function plainText(line: string): string {
  return line.includes("\u001b[")
    ? ansiSpans(line)
        .map(({ text }) => text)
        .join("")
    : printable(line);
}

/**
 * Control and format characters: direction marks (U+202E), byte order marks, tags. Joiners are kept, since some scripts and emoji need
 * them.
 */
const controls = /(?![\t\n\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Makes characters visible that would be invisible or change the reading order. */
function printable(text: string): string {
  return text.replace(controls, (character) => {
    const code = character.codePointAt(0) as number;
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? "␡" : `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
  });
}

function toneOf(name: string | null, rgb: string | null): AnsiTone | undefined {
  if (name === null || name === undefined) return undefined;
  const basic = /^ansi-(?:bright-)?([a-z]+)$/.exec(name)?.[1];
  if (basic !== undefined && (names as readonly string[]).includes(basic)) return basic as AnsiTone;
  const number = /^ansi-palette-(\d+)$/.exec(name)?.[1];
  if (number !== undefined) return ofPalette(Number(number));
  return rgb ? nearest(rgb.split(",").map(Number)) : undefined;
}

/** The 256 colours: 16 named ones, a 6×6×6 cube, and greys. */
function ofPalette(number: number): AnsiTone {
  if (number < 16) return names[number % 8] as AnsiTone;
  if (number >= 232) return number < 244 ? "black" : "white";
  const cube = number - 16;
  return nearest([Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((level) => level * 51));
}

/** A component counts as on if it is more than half of the brightest one. */
function nearest([red = 0, green = 0, blue = 0]: number[]): AnsiTone {
  const most = Math.max(red, green, blue);
  const least = Math.min(red, green, blue);
  if (most - least < 40) return most < 128 ? "black" : "white";
  const half = (most + least) / 2;
  return names[(red > half ? 1 : 0) + (green > half ? 2 : 0) + (blue > half ? 4 : 0)] as AnsiTone;
}
