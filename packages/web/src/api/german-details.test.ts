import { expect, test } from "vitest";
import { detailInGerman } from "./german-details.ts";

test.each([
  ["is missing", "fehlt"],
  ["is too long; it may have at most 100 characters", "ist zu lang; erlaubt sind höchstens 100 Zeichen"],
  ["may have at most 100 characters, but has 101", "darf höchstens 100 Zeichen haben, hat aber 101"],
  ['is "soon"; it must be one of now, later', 'ist "soon"; erlaubt ist eines von: now, later'],
  ['is "5"; it must be an integer', 'ist "5"; erlaubt ist eine ganze Zahl'],
  ["is a list; it must be a string", "ist eine Liste; erlaubt ist Text"],
  ["is a list; it must not have more than 10 items", "ist eine Liste; erlaubt sind höchstens 10 Einträge"],
  ["is 7; it must be at most 5", "ist 7; erlaubt ist höchstens 5"],
  ['is "x"; it must be a whole number from 1 to 90', 'ist "x"; erlaubt ist eine ganze Zahl von 1 bis 90'],
  ['is "A b"; it must match ^[a-z]{1,63}$', 'ist "A b"; es muss zum Muster ^[a-z]{1,63}$ passen'],
  ['is "$& {1}"; it must be an email', 'ist "$& {1}"; erlaubt ist eine E-Mail-Adresse'],
  ['parameter "count" must be a number, but is "many"', 'Parameter "count" muss eine Zahl sein, ist aber "many"'],
  ['parameter "who" is required and has no default', 'Parameter "who" ist erforderlich und hat keinen Standardwert'],
  ['parameter "who" is odd', 'parameter "who" is odd'],
  ["says something else", "says something else"],
  ["toString", "toString"],
])("%s: %s", (english, german) => expect(detailInGerman(english)).toBe(german));
