import { type CronField, CronSyntaxError, type Piece, splitPiece } from "./cron-field.ts";

/** The values of a field that can only have lists, ranges and steps, in ascending order. */
export function parseValues(field: CronField, piece: Piece): number[] {
  return ascending(splitPiece(piece, ",").flatMap((item) => parseItem(field, item)));
}

/** One entry of a list: `*`, a value, a range; each of them with a step if wanted. A value with a step continues to the field's last. */
export function parseItem(field: CronField, item: Piece): number[] {
  const [base, stepPiece, tooMuch] = splitPiece(item, "/") as [Piece, Piece?, Piece?];
  if (tooMuch !== undefined)
    throw new CronSyntaxError(`${field.name} ${quote(item.text)} has two steps; write one, such as */5`, tooMuch.position);
  const step = stepPiece && parseStep(field, stepPiece);
  const [from, to] = parseRange(field, base, step !== undefined);
  const values = [];
  for (let value = from; value <= to; value += step ?? 1) values.push(value > field.max ? value - cycle(field) : value);
  return values;
}

/** A number or a word of the field. */
export function parseValue(field: CronField, piece: Piece): number {
  const word = field.words.indexOf(piece.text);
  if (word >= 0) return field.min + word;
  if (!/^\d+$/.test(piece.text)) throw notUnderstood(field, piece);
  const value = Number(piece.text);
  if (value < field.min || value > field.highest) {
    throw new CronSyntaxError(`${field.name} ${piece.text} is out of range; it can be ${field.allowed}`, piece.position);
  }
  return value;
}

/** In ascending order, without duplicates. */
export function ascending(values: readonly number[]): number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}

function cycle(field: CronField): number {
  return field.max - field.min + 1;
}

/** First and last value; for a range that wraps around, the last one is greater than the field's maximum. */
function parseRange(field: CronField, base: Piece, hasStep: boolean): [from: number, to: number] {
  if (base.text === "*") return [field.min, field.max];
  const [first, last, tooMuch] = splitPiece(base, "-") as [Piece, Piece?, Piece?];
  if (tooMuch !== undefined) {
    throw new CronSyntaxError(`${field.name} ${quote(base.text)} has two hyphens; a range has two ends, such as 1-5`, tooMuch.position - 1);
  }
  const from = parseValue(field, first);
  if (last === undefined) {
    if (!hasStep) return [from, from];
    return [from > field.max ? from - cycle(field) : from, field.max];
  }
  const to = parseValue(field, last);
  if (from <= to) return [from, to];
  if (field.isCircular) return [from, to + cycle(field)];
  throw new CronSyntaxError(`${field.name} ${base.text} ends before it starts; write ${last.text}-${first.text}`, base.position);
}

function parseStep(field: CronField, step: Piece): number {
  const value = /^\d+$/.test(step.text) ? Number(step.text) : 0;
  if (value >= 1 && value <= cycle(field)) return value;
  const what = step.text === "" ? `${field.name} has no step after /` : `${field.name} has the step ${quote(step.text)}`;
  throw new CronSyntaxError(`${what}; it can be 1 to ${cycle(field)}`, step.position);
}

function notUnderstood(field: CronField, { text, position }: Piece): CronSyntaxError {
  if (text === "") return new CronSyntaxError(`${field.name} lacks a value; it can be * or ${field.allowed}`, position);
  if (text === "?") return new CronSyntaxError(`${field.name} can't hold ? here; write *`, position);
  return new CronSyntaxError(`${field.name} ${quote(text)} is invalid; it can be * or ${field.allowed}`, position);
}

function quote(text: string): string {
  return /^\d+$/.test(text) ? text : JSON.stringify(text);
}
