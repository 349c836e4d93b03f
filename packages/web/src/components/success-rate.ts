import { t } from "../texts/shared.ts";
import { percentText } from "../ui/format.ts";

/** With fewer runs a percentage would suggest more precision than there is: two failures aren't a success rate of "0.0 %". */
const fewestRuns = 10;

/** `98.5 %`; for few runs `1 of 2`; for none a dash. @param count the number of runs that succeeded or failed */
export function successText(succeeded: number, count: number): string {
  if (count === 0) return "–";
  if (count < fewestRuns) return t("successRate.few", { succeeded, count });
  // Rounded down, so that 999 of 1,000 isn't shown as 100 %.
  const isWhole = succeeded === count || succeeded === 0;
  return percentText(Math.floor((1000 * succeeded) / count) / 1000, isWhole ? 0 : 1);
}
