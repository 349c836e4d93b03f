import { maxReturnPath, toReturnPath } from "@millrace/contract/return-path.ts";
import { AppError } from "../../../base/error/app-error.ts";

/** Where to go after signing in: a path of this service, by the rule that the page goes by too. */
export function readReturnPath(text: string | undefined): string {
  if (text === undefined || text === "") return "/";
  const path = toReturnPath(text);
  if (path !== undefined) return path;
  const message = `is ${JSON.stringify(text.slice(0, 100))}; it must be an encoded path of this service: one slash at its start, also after dots are resolved, and at most ${maxReturnPath} characters`;
  throw new AppError("VALIDATION_FAILED", [`parameter returnTo ${message}`], { details: [{ path: "returnTo", message }] });
}
