import { t } from "../texts/shared.ts";
import { percentText } from "../ui/format.ts";

/** With fewer runs a rate says more than is known: two failures are not a success rate of "0.0 %". */
const fewestRuns = 10;

/** `98.5 %`, of a few `1 of 2`, of none a dash. @param count of those that succeeded or failed */
export function successText(succeeded: number, count: number): string {
  if (count === 0) return "–";
  if (count < fewestRuns) return t("successRate.few", { succeeded, count });
  // Rounded down: 999 of 1,000 is not all of them.
  const isWhole = succeeded === count || succeeded === 0;
  return percentText(Math.floor((1000 * succeeded) / count) / 1000, isWhole ? 0 : 1);
}
