import { AppError, type ErrorDetail } from "../../base/error/app-error.ts";
import { type CheckMode, saving } from "./save-context.ts";

/** @throws VALIDATION_FAILED with all of them, if there are any */
export function refuseFaults(faults: readonly ErrorDetail[], { refuse }: Pick<CheckMode, "refuse"> = saving): void {
  const [first] = faults;
  if (first === undefined) return;
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more, see errors)` : "";
  refuse(new AppError("VALIDATION_FAILED", [`body ${first.path} ${first.message}${more}`], { details: faults.slice(0, 100) }));
}
