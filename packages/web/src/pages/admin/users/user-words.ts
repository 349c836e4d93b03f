import { t } from "../../../texts/settings/administration.ts";

/** What each type of user means for the instance. Inside a team, the role in that team counts. */
export const userTypeWords: Readonly<Record<string, { word: string; means: string }>> = {
  user: { word: t("userWords.user"), means: t("userWords.userTypeMeans") },
  admin: { word: t("userWords.administrator"), means: t("userWords.userTypeMeansMeans") },
  operator: { word: t("userWords.operator"), means: t("userWords.userTypeMeansReadChangeRunEverything") },
  auditor: { word: t("userWords.auditor"), means: t("userWords.userTypeMeansHasRolesTheirTeams") },
  author: { word: t("userWords.author"), means: t("userWords.userTypeMeansHasRolesTheirTeams") },
  sponsor: { word: t("userWords.sponsor"), means: t("userWords.userTypeMeansHasRolesTheirTeams") },
  partner: { word: t("userWords.partner"), means: t("userWords.userTypeMeansHasRolesTheirTeams") },
  advisor: { word: t("userWords.advisor"), means: t("userWords.userTypeMeansHasRolesTheirTeams") },
};

/** Which users can sign in. */
export const userStatusWords: Readonly<Record<string, { word: string; tone: "on" | "off" | "rest" }>> = {
  active: { word: t("userWords.active"), tone: "on" },
  inactive: { word: t("userWords.inactive"), tone: "rest" },
  pending_deletion: { word: t("userWords.deleted"), tone: "off" },
  deleted: { word: t("userWords.deletedWord"), tone: "off" },
  archived: { word: t("userWords.archived"), tone: "rest" },
};
