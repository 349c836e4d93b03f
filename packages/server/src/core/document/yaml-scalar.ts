/**
 * The meaning of a plain (unquoted) YAML scalar. Task documents are written for Kubernetes, whose reader follows YAML 1.1 for booleans and
 * numbers: `yes`, `on`, `0755` (493) and `1_000`. A YAML 1.2 reader would read each of these as another value. Where the schema expects a
 * text, none of this applies: the scalar is taken literally (yaml-values.ts).
 */
export type PlainValue = null | boolean | number | string;

const words = new Map<string, PlainValue>();
const spellings: [PlainValue, string[]][] = [
  [null, ["", "~", "null", "Null", "NULL"]],
  [true, ["true", "True", "TRUE", "y", "Y", "yes", "Yes", "YES", "on", "On", "ON"]],
  [false, ["false", "False", "FALSE", "n", "N", "no", "No", "NO", "off", "Off", "OFF"]],
];
for (const [value, texts] of spellings) for (const text of texts) words.set(text, value);

/** True for a scalar that means null. */
export function isNullText(text: string): boolean {
  return words.get(text) === null;
}

const integer = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[oO]?([0-7]+)|0[bB]([01]+)|(0|[1-9][0-9]*))$/;
const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;

/** Undefined for a number that can't be represented exactly. */
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

/** A double represents any 15 significant digits, and more if they are its shortest representation. */
function isExact(digits: string, value: number): boolean {
  const significant = significantDigits(digits);
  return significant.length <= 15 || significant === significantDigits(String(value));
}

function significantDigits(number: string): string {
  const [mantissa = ""] = number.split(/[eE]/);
  return mantissa.replace(/[-+.]/g, "").replace(/^0+|0+$/g, "");
}
