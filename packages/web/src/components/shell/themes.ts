import { t } from "../../texts/frame.ts";

/** The choices of a theme; kept in the browser, not on the server. */
export const themes = [
  { value: "light", label: t("themes.light") },
  { value: "dark", label: t("themes.dark") },
  { value: "auto", label: t("themes.system") },
] as const;
