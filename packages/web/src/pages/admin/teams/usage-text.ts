import { t } from "../../../texts/administration.ts";

const unlimited = 1_000_000_000;

/** `3 of 25`; only the number where there is no limit. */
export function usageText(used: number, max: number | null | undefined): string {
  const shown = used.toLocaleString();
  return max === null || max === undefined || max >= unlimited ? shown : t("usageText.of", { shown, max });
}
