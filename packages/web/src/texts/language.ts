import { createTranslator } from "use-intl/core";
import type { catalogues as germanCatalogues } from "./german/all.ts";

/** Each name is in its own language, so that people recognize theirs whatever language is shown. */
export const languages = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof languages;

/** The user's choice is stored in this browser, like the theme. Without one, the languages of the browser decide. */
const storedUnder = "millrace-language";

const isLanguage = (text: string | null | undefined): text is Language => text != null && Object.hasOwn(languages, text);

/**
 * The first of the browser's languages that is available, otherwise English. The region's formats of numbers and dates are kept: `de-CH`,
 * `en-US`.
 */
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
    // Reading throws if the browser doesn't allow the page to store anything.
    return undefined;
  }
}

/** Undefined: the browser's language. */
export const chosenLanguage = storedLanguage();

/** Texts are read when their modules load, so changing the language requires reloading the page. */
export function chooseLanguage(chosen: Language | undefined): void {
  if (chosen === undefined) localStorage.removeItem(storedUnder);
  else localStorage.setItem(storedUnder, chosen);
  location.reload();
}

/** The language of the texts, and the locale of all numbers, times and lists (`ui/format.ts`). */
export const { language, locale } = languageFor(chosenLanguage, globalThis.navigator?.languages ?? []);

/** Texts in two levels: the part of the screen, and the text in it. */
type Messages = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The build omits the keys of German texts: they are those of the English ones, in the same order (`compile-texts.mjs`). */
type Rows = readonly (readonly string[])[];

/** In a file of its own, which is loaded only for this language. */
let german: Readonly<Record<string, Messages | Rows>> | undefined;
let sentenceInGerman: typeof import("./german/all.ts").sentenceInGerman | undefined;

/** Called before the first page is drawn (`main.tsx`). The modules of the pages load afterwards, so they can read texts while they load. */
export async function loadTexts(): Promise<void> {
  if (language !== "de") return;
  // If the file can't be loaded, English is better than no page.
  german = await import("./german/all.ts").then(
    (all) => {
      sentenceInGerman = all.sentenceInGerman;
      return all.catalogues;
    },
    () => ({}),
  );
}

/** What the service says about a task or a run, in the language of the texts: why it waits, or how it ended. */
export function sentenceOf(sentence: string): string {
  return sentenceInGerman?.task(sentence) ?? sentence;
}

/** What the service says about a schedule and its times, a subscription, a delivery, or a run that it refused to start. */
export function outcomeOf(sentence: string): string {
  return sentenceInGerman?.outcome(sentence) ?? sentence;
}

function withKeys(texts: Messages | Rows, english: Messages): Messages {
  if (!Array.isArray(texts)) return texts as Messages;
  const named = (keys: readonly string[], values: readonly unknown[]) => Object.fromEntries(keys.map((key, index) => [key, values[index]]));
  const parts = Object.values(english).map((part, index) => named(Object.keys(part), texts[index]));
  return named(Object.keys(english), parts) as Messages;
}

/**
 * Tests set this function before the page loads, to replace each catalogue with another language (test/kit/pseudo-language.ts). It can't be
 * reached from the interface.
 */
const rewrite = (globalThis as { rewriteTexts?: <Catalogue extends Messages>(messages: Catalogue) => Catalogue }).rewriteTexts;

/**
 * Returns the function that reads the texts of a place by their keys: `t("create.title")`. Messages are in ICU format, `{count, plural, one
 * {# run} other {# runs}}`; their values are checked by their types. `t.rich` inserts elements for the tags of a message: `Rerun of
 * <run></run>`. The build compiles the messages, so each catalogue must be a single literal in a file of its own, with nothing else in it.
 * `german` has files of the same names with the same texts in German.
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

/** A label inside a sentence: German nouns stay capitalized. */
export function withinSentence(label: string): string {
  return language === "de" ? label : label.toLowerCase();
}

/** British English for lists, which have no comma before the last item. */
const listLocale = language === "en" ? "en-GB" : locale;
const lists = {
  and: new Intl.ListFormat(listLocale, { type: "conjunction" }),
  or: new Intl.ListFormat(listLocale, { type: "disjunction" }),
};

/** `a, b and c`, in the language of the texts. */
export function listText(items: readonly string[], how: keyof typeof lists = "and"): string {
  return lists[how].format(items);
}
