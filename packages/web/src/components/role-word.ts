import { t } from "../texts/shared.ts";

const words: Readonly<Record<string, string>> = { owner: t("roles.owner"), editor: t("roles.editor"), reader: t("roles.reader") };

/** A role in a team, in the language of the texts. One of a later service is shown as it is. */
export const roleWord = (role: string | null | undefined): string => (role == null ? "" : (words[role] ?? role));
