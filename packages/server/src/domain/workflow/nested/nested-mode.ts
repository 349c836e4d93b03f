import { AppError } from "../../../base/error/app-error.ts";
import type { CheckMode } from "../save-context.ts";

/** What is wrong inside a nested workflow, with its place in the document. @param path of the nested workflow */
export function nestedMode(mode: CheckMode, path: string): CheckMode {
  return {
    ...mode,
    refuse(error) {
      const { reason, values, details } = error.at("");
      const placed = (details ?? []).map((detail) => ({ ...detail, path: `${path}${detail.path}` }));
      const said = values.map((value) => (typeof value === "string" ? value.replace(/^body (?=\/| )/, `body ${path}`) : value));
      mode.refuse(new AppError(reason, said, { details: placed, cause: error }));
    },
  };
}
