import type { ErrorDetail } from "../error/app-error.ts";
import { nearestName } from "./nearest-name.ts";

/** What is said of an unknown member under `Prefer: handling=strict`. */
export function strictFault({ path, name, known }: { path: string; name: string; known: readonly string[] }): ErrorDetail {
  const meant = nearestName(name, known);
  return { path, message: meant === undefined ? "is unknown here" : `is unknown here; did you mean ${meant}?` };
}

/** Does the caller want to be refused rather than helped along? `Prefer: handling=strict` (RFC 7240). */
export function isStrict(prefer: string | undefined): boolean {
  return /(?:^|[,;\s])handling\s*=\s*"?strict"?(?:$|[,;\s])/i.test(prefer ?? "");
}
