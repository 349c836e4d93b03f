/**
 * What a plain (unquoted) scalar of YAML means. Task documents are written for Kubernetes, whose reader follows YAML 1.1 in
 * its booleans and numbers: `yes`, `on`, `0755` (493) and `1_000`. A YAML 1.2 reader would take another value for each.
 * Where a text is wanted none of this is asked: the text is what stands there (yaml-values.ts).
 */
export type PlainValue = null | boolean | number | string;

const words = new Map<string, PlainValue>();
const spellings: [PlainValue, string[]][] = [
  [null, ["", "~", "null", "Null", "NULL"]],
  [true, ["true", "True", "TRUE", "y", "Y", "yes", "Yes", "YES", "on", "On", "ON"]],
  [false, ["false", "False", "FALSE", "n", "N", "no", "No", "NO", "off", "Off", "OFF"]],
];
for (const [value, texts] of spellings) for (const text of texts) words.set(text, value);

/** True for a scalar that stands for nothing. */
export function isNullText(text: string): boolean {
  return words.get(text) === null;
}

const integer = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[oO]?([0-7]+)|0[bB]([01]+)|(0|[1-9][0-9]*))$/;
const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;

/** Undefined for a number that cannot be kept exactly. */
export function plainValue(text: string): PlainValue | undefined {
  if (words.has(text)) return words.get(text) as PlainValue;
  const digits = text.replaceAll("_", "");
  const match = text.startsWith("_") ? null : integer.exec(digits);
  if (match) return exactInteger(match);
  if (text.startsWith("_") || !float.test(digits)) return text;
  const value = Number(digits);
  return Number.isFinite(value) && isExact(digits, value) ? value : undefined;
}

function exactInteger([, sign, hex, octal, binary, decimal]: string[]): number | undefined {
  const magnitude = decimal ? Number(decimal) : Number.parseInt((hex ?? octal ?? binary) as string, hex ? 16 : octal ? 8 : 2);
  const exact = Number.isSafeInteger(magnitude) || (decimal !== undefined && Number.isFinite(magnitude) && isExact(decimal, magnitude));
  if (!exact) return undefined;
  return sign === "-" && magnitude !== 0 ? -magnitude : magnitude;
}

/** A double keeps any 15 significant digits, and more when they are the shortest way to write it. */
function isExact(digits: string, value: number): boolean {
  const significant = significantDigits(digits);
  return significant.length <= 15 || significant === significantDigits(String(value));
}

function significantDigits(number: string): string {
  const [mantissa = ""] = number.split(/[eE]/);
  return mantissa.replace(/[-+.]/g, "").replace(/^0+|0+$/g, "");
}
