import { createTranslator } from "use-intl/core";

/** The only language that is shipped; British in its lists, which have no comma before the last. Times and numbers outside of messages follow the viewer's own (`ui/time/time-format.ts`). */
export const language = "en-GB";

/** Texts by what they are for, two levels deep: the part of the screen, and the text in it. */
type Messages = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * Tests put a function here before the page loads, which makes another language of each catalogue (test/pseudo-language.ts). There is no way
 * to reach it from the interface.
 */
const rewrite = (globalThis as { rewriteTexts?: <Catalogue extends Messages>(messages: Catalogue) => Catalogue }).rewriteTexts;

/**
 * The texts of a place, by their keys: `t("create.title")`. A message is ICU, `{count, plural, one {# run} other {# runs}}`; what it asks for
 * is checked by its type. `t.rich` puts elements where a message has tags: `Rerun of <run></run>`. The build compiles the messages, so each
 * catalogue is one literal in a file of its own, with nothing else in it.
 */
export function translate<const Catalogue extends Messages>(messages: Catalogue) {
  return createTranslator({ locale: language, messages: rewrite === undefined ? messages : rewrite(messages) });
}

const lists = {
  and: new Intl.ListFormat(language, { type: "conjunction" }),
  or: new Intl.ListFormat(language, { type: "disjunction" }),
};

/** `a, b and c`, in the language of the texts. */
export function listText(items: readonly string[], how: keyof typeof lists = "and"): string {
  return lists[how].format(items);
}
