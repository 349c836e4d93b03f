import { createTranslator } from "use-intl/core";
import type { catalogues as germanCatalogues } from "./german/all.ts";

/** Each is a word of its own language, so that people find theirs whatever they see. */
export const languages = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof languages;

/** What a person has chosen is kept in this browser, as the theme is. Without it the browser's languages decide. */
const storedUnder = "millrace-language";

const isLanguage = (text: string | null | undefined): text is Language => text != null && Object.hasOwn(languages, text);

/** The browser's first language that there is, and English for all others. A country's own numbers and dates are kept: `de-CH`, `en-US`. */
export function languageFor(chosen: Language | undefined, wanted: readonly string[]): { language: Language; locale: string } {
  const found = wanted.map((locale) => ({ locale, language: locale.split("-")[0] }));
  const language = chosen ?? found.map((each) => each.language).find(isLanguage) ?? "en";
  return { language, locale: found.find((each) => each.language === language)?.locale ?? (language === "en" ? "en-GB" : language) };
}

function storedLanguage(): Language | undefined {
  try {
    const stored = globalThis.localStorage?.getItem(storedUnder);
    return isLanguage(stored) ? stored : undefined;
  } catch {
    // A browser that keeps nothing for this page refuses to be asked.
    return undefined;
  }
}

/** Undefined: as the browser. */
export const chosenLanguage = storedLanguage();

/** Texts are read as soon as their modules load, so another language takes another load of the page. */
export function chooseLanguage(chosen: Language | undefined): void {
  if (chosen === undefined) localStorage.removeItem(storedUnder);
  else localStorage.setItem(storedUnder, chosen);
  location.reload();
}

/** Of the texts, and of all numbers, times and lists (`ui/format.ts`). */
export const { language, locale } = languageFor(chosenLanguage, globalThis.navigator?.languages ?? []);

/** Texts by what they are for, two levels deep: the part of the screen, and the text in it. */
type Messages = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The build leaves the keys of German texts out: they are those of the English ones, in their order (`compile-texts.mjs`). */
type Rows = readonly (readonly string[])[];

/** A file that only those load who read it. */
let german: Readonly<Record<string, Messages | Rows>> | undefined;

/** Before the first page is drawn (`main.tsx`). What the pages are made of loads after that, and so may read texts while it loads. */
export async function loadTexts(): Promise<void> {
  if (language !== "de") return;
  // English is better than no page, if the file does not come.
  german = await import("./german/all.ts").then(
    ({ catalogues }) => catalogues,
    () => ({}),
  );
}

function withKeys(texts: Messages | Rows, english: Messages): Messages {
  if (!Array.isArray(texts)) return texts as Messages;
  const named = (keys: readonly string[], values: readonly unknown[]) => Object.fromEntries(keys.map((key, index) => [key, values[index]]));
  const parts = Object.values(english).map((part, index) => named(Object.keys(part), texts[index]));
  return named(Object.keys(english), parts) as Messages;
}

/**
 * Tests put a function here before the page loads, which makes another language of each catalogue (test/kit/pseudo-language.ts). There is
 * no way to reach it from the interface.
 */
const rewrite = (globalThis as { rewriteTexts?: <Catalogue extends Messages>(messages: Catalogue) => Catalogue }).rewriteTexts;

/**
 * The texts of a place, by their keys: `t("create.title")`. A message is ICU, `{count, plural, one {# run} other {# runs}}`; what it asks for
 * is checked by its type. `t.rich` puts elements where a message has tags: `Rerun of <run></run>`. The build compiles the messages, so each
 * catalogue is one literal in a file of its own, with nothing else in it. `german` has files of the same names, with the same texts in German.
 */
export function translate<const Catalogue extends Messages>(place: keyof typeof germanCatalogues, english: Catalogue) {
  const read = () => {
    const messages = messagesOf(place, english);
    return createTranslator({ locale, messages: rewrite === undefined ? messages : rewrite(messages) });
  };
  let made: ReturnType<typeof read> | undefined;
  const translator = () => {
    made ??= read();
    return made;
  };
  const t = ((...args: Parameters<ReturnType<typeof read>>) => translator()(...args)) as ReturnType<typeof read>;
  t.rich = (...args) => translator().rich(...args);
  return Object.assign(t, { english });
}

function messagesOf<Catalogue extends Messages>(place: string, english: Catalogue): Catalogue {
  if (language === "en") return english;
  if (german === undefined) throw new Error(`A text of ${place} is asked for before German is there: see loadTexts`);
  const translated = german[place];
  return translated === undefined ? english : (withKeys(translated, english) as Catalogue);
}

/** A label within a sentence: German nouns keep their capital there. */
export function withinSentence(label: string): string {
  return language === "de" ? label : label.toLowerCase();
}

/** British in its lists, which have no comma before the last. */
const listLocale = language === "en" ? "en-GB" : locale;
const lists = {
  and: new Intl.ListFormat(listLocale, { type: "conjunction" }),
  or: new Intl.ListFormat(listLocale, { type: "disjunction" }),
};

/** `a, b and c`, in the language of the texts. */
export function listText(items: readonly string[], how: keyof typeof lists = "and"): string {
  return lists[how].format(items);
}
