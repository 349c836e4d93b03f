import { type MessageFamily, valuesIn } from "./german-families.ts";

/**
 * What the service says about single fields, in German: families of messages whose values stay as they are. The first family that fits
 * counts. What no family fits stays English.
 */
const families: readonly MessageFamily[] = [
  ["is missing", "fehlt"],
  ["are missing", "fehlen"],
  ["is missing or blank", "fehlt oder ist leer"],
  ["is missing; {0}", "fehlt; {0}"],
  ["is blank; it must not be", "ist leer; hier muss etwas stehen"],
  ["must not be empty", "darf nicht leer sein"],
  ["is unknown here; did you mean {0}?", "ist hier unbekannt; gemeint ist vielleicht {0}"],
  ["is unknown here", "ist hier unbekannt"],
  ["is too short; it must have at least {0} characters", "ist zu kurz; nötig sind mindestens {0} Zeichen"],
  ["is too long; it may have at most {0} characters", "ist zu lang; erlaubt sind höchstens {0} Zeichen"],
  ["may have at most {0} characters, but has {1}", "darf höchstens {0} Zeichen haben, hat aber {1}"],
  ["must have at most {0} characters, but has {1}", "darf höchstens {0} Zeichen haben, hat aber {1}"],
  ["must have at least {0} characters, but has {1}", "muss mindestens {0} Zeichen haben, hat aber {1}"],
  [
    "must have at least {0} characters, since a shorter secret cannot be masked in logs",
    "muss mindestens {0} Zeichen haben, weil ein kürzeres Geheimnis in Logs nicht verborgen werden kann",
  ],
  ["must have {0} to {1} characters, but has {2}", "muss {0} bis {1} Zeichen haben, hat aber {2}"],
  ["is {0}; it must be one of {1}", "ist {0}; erlaubt ist eines von: {1}"],
  ["is {0}; it must be at most {1}", "ist {0}; erlaubt ist höchstens {1}"],
  ["is {0}; it must be at least {1}", "ist {0}; erlaubt ist mindestens {1}"],
  ["is {0}; it must be less than {1}", "ist {0}; erlaubt ist weniger als {1}"],
  ["is {0}; it must be more than {1}", "ist {0}; erlaubt ist mehr als {1}"],
  ["is {0}; it must be a whole number from {1} to {2}", "ist {0}; erlaubt ist eine ganze Zahl von {1} bis {2}"],
  ["is {0}; it must be whole gibibytes from {1} to {2}, such as {3}", "ist {0}; erlaubt sind ganze Gibibytes von {1} bis {2}, etwa {3}"],
  [
    "is {0}; it must be empty, or a URL that starts with https:// or http://",
    "ist {0}; erlaubt ist nichts oder eine URL, die mit https:// oder http:// beginnt",
  ],
  ["is {0}; it must match {1}", "ist {0}; es muss zum Muster {1} passen"],
  ["is {0}; it must be {1}", "ist {0}; erlaubt ist {1}"],
  ["is {0}; it must not have more than {1} {2}", "ist {0}; erlaubt sind höchstens {1} {2}"],
  ["is {0}; it must not have fewer than {1} {2}", "ist {0}; nötig sind mindestens {1} {2}"],
  ["is {0}; it must not have additional properties", "ist {0}; weitere Angaben sind nicht erlaubt"],
  ["is {0}; it must not have duplicate items", "ist {0}; kein Eintrag darf doppelt sein"],
  ["must be a number, but is {0}", "muss eine Zahl sein, ist aber {0}"],
  ["must be true or false, but is {0}", "muss true oder false sein, ist aber {0}"],
  ["must be an email address, but is {0}", "muss eine E-Mail-Adresse sein, ist aber {0}"],
  ["must be a URL such as {0}, but is {1}", "muss eine URL wie {0} sein, ist aber {1}"],
  ["must be one of {0}, but is {1}", "muss eines von {0} sein, ist aber {1}"],
  ["must be a list of any of {0}, but is {1}", "muss eine Liste aus {0} sein, ist aber {1}"],
  ["must be JSON, but is {0}", "muss JSON sein, ist aber {0}"],
  ["must be text, since it is a secret, but is {0}", "muss Text sein, weil es ein Geheimnis ist, ist aber {0}"],
  ["must be a secret without spaces or line breaks", "muss ein Geheimnis ohne Leerzeichen und Zeilenumbrüche sein"],
  [
    "must be a private key in PEM format, from -----BEGIN to -----END",
    "muss ein privater Schlüssel im Format PEM sein, von -----BEGIN bis -----END",
  ],
  ["contains the invisible character {0}; leave it out", "enthält das unsichtbare Zeichen {0}; bitte weglassen"],
  ["must not contain control characters", "darf keine Steuerzeichen enthalten"],
  ["is not allowed as a name", "ist als Name nicht erlaubt"],
  ["is required and has no default", "ist erforderlich und hat keinen Standardwert"],
  ["does not match the schema", "passt nicht zum Schema"],
];

/** Words that the service writes in the places of such a message; everything else there is a value. */
const words: Readonly<Record<string, string>> = {
  "a list": "eine Liste",
  "an object": "ein Objekt",
  "a text": "ein Text",
  "a number": "eine Zahl",
  missing: "nicht angegeben",
  "a string": "Text",
  "an integer": "eine ganze Zahl",
  "a boolean": "true oder false",
  "an array": "eine Liste",
  "a string or null": "Text oder null",
  "a date-time": "ein Zeitpunkt wie 2026-03-01T12:00:00Z",
  "a date": "ein Tag wie 2026-03-01",
  "a uri": "eine URL",
  "a uuid": "eine UUID",
  "an email": "eine E-Mail-Adresse",
  items: "Einträge",
  properties: "Angaben",
  characters: "Zeichen",
};

const places = /\{(\d)\}/g;

/** @returns the message as it is if it belongs to no known family */
export function detailInGerman(message: string): string {
  const parameter = /^parameter ("[^"]*") (.*)$/s.exec(message);
  if (parameter !== null) {
    const rest = detailInGerman(parameter[2] ?? "");
    return rest === parameter[2] ? message : `Parameter ${parameter[1]} ${rest}`;
  }
  for (const [english, german] of families) {
    const found = valuesIn(english, message);
    if (found !== undefined) return german.replace(places, (_, place: string) => wordOf(found[Number(place)] ?? ""));
  }
  return message;
}

function wordOf(value: string): string {
  return Object.hasOwn(words, value) ? (words[value] ?? value) : value;
}
