import { t } from "../../texts/shared.ts";

const words: Readonly<Record<string, string>> = {
  global: t("tokens.global"),
  team: t("tokens.team"),
  workflow: t("tokens.workflow"),
  user: t("tokens.user"),
};

/** A kind of token, in the language of the texts. One of a later service is shown as it is. */
export const tokenWord = (kind: string): string => words[kind] ?? kind;
