import { AppError } from "../../base/app-error.ts";

/** Longest path to come back to; it travels in a cookie. */
export const maxReturnPath = 1000;

/**
 * Where to go after signing in: a path of this service. A sign-in that leads on to any other host would lend our name to whoever
 * wrote the link, so what a browser could read as another host is refused, also in its odd spellings (`//host`, `/\host`).
 */
export function readReturnPath(text: string | undefined, publicUrl: string): string {
  if (text === undefined || text === "") return "/";
  const isPath = /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(text) && text.length <= maxReturnPath;
  const target = isPath && URL.canParse(text, publicUrl) ? new URL(text, publicUrl) : undefined;
  if (target === undefined || target.origin !== new URL(publicUrl).origin) {
    const message = `is ${JSON.stringify(text.slice(0, 100))}; it must be a path of this service that begins with one slash, encoded, with at most ${maxReturnPath} characters`;
    throw new AppError("VALIDATION_FAILED", [`parameter returnTo ${message}`], { details: [{ path: "returnTo", message }] });
  }
  return target.pathname + target.search + target.hash;
}
