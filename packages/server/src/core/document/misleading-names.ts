import type { ErrorDetail } from "../../base/error/app-error.ts";
import { findMisleading } from "../../base/text/clean-name.ts";

const shownNames = ["name", "displayName"] as const;

/** Names of people, teams, workflows … are shown beside other text; a direction mark in a name could reverse that text. */
export function misleadingNames(body: unknown): ErrorDetail[] {
  if (typeof body !== "object" || body === null) return [];
  return shownNames.flatMap((name) => {
    const value = (body as Record<string, unknown>)[name];
    const mark = typeof value === "string" ? findMisleading(value) : undefined;
    return mark === undefined ? [] : [{ path: `/${name}`, message: `contains the invisible character ${mark}; leave it out` }];
  });
}
