import { language } from "./translate.ts";

const formats = {
  and: new Intl.ListFormat(language, { type: "conjunction" }),
  or: new Intl.ListFormat(language, { type: "disjunction" }),
};

/** `a, b and c`, in the language of the texts. */
export function listText(items: readonly string[], how: keyof typeof formats = "and"): string {
  return formats[how].format(items);
}
