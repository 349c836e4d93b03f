import { locale } from "../texts/language.ts";

/** Numbers, percentages, times and relative times in the locale of the texts, for everything that isn't formatted by a message. */

const whole = new Intl.NumberFormat(locale);

export function numberText(value: number): string {
  return whole.format(value);
}

/** `4.2` and `4.0`: always the same number of digits, so that changing values don't jump. */
export function decimalText(value: number, digits: number): string {
  return new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
}

/** @param rate 1 means 100 % */
export function percentText(rate: number, digits = 0): string {
  return new Intl.NumberFormat(locale, { style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits }).format(rate);
}

export function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, options);
}

export function distanceFormat(options: Intl.RelativeTimeFormatOptions): Intl.RelativeTimeFormat {
  return new Intl.RelativeTimeFormat(locale, options);
}
