import { locale } from "../texts/language.ts";

/** Numbers, percentages, times and their distances, in the locale of the texts: all that is shown and that no message formats. */

const whole = new Intl.NumberFormat(locale);

export function numberText(value: number): string {
  return whole.format(value);
}

/** `4.2`, and `4.0`: always that many digits, so that what changes does not jump. */
export function decimalText(value: number, digits: number): string {
  return new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
}

/** @param rate 1: all of them */
export function percentText(rate: number, digits = 0): string {
  return new Intl.NumberFormat(locale, { style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits }).format(rate);
}

export function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, options);
}

export function distanceFormat(options: Intl.RelativeTimeFormatOptions): Intl.RelativeTimeFormat {
  return new Intl.RelativeTimeFormat(locale, options);
}
