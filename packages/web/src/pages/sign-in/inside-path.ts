import { toReturnPath } from "@millrace/contract/return-path.ts";
import { paths } from "../../paths.ts";

/** Where to go after signing in: a path of this service; anything else leads to the start page. */
export function insidePath(wanted: string | undefined): string {
  return (typeof wanted === "string" && toReturnPath(wanted)) || paths.home();
}
