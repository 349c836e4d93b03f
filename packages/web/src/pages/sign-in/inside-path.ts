import { paths } from "../../paths.ts";

const own = "https://own.invalid";

/** Where to go after signing in: a path of this service; anything that leads elsewhere becomes the start page. */
export function insidePath(wanted: string | undefined): string {
  if (typeof wanted !== "string" || !wanted.startsWith("/") || !URL.canParse(wanted, own)) return paths.home();
  const url = new URL(wanted, own);
  return url.origin === own ? url.pathname + url.search + url.hash : paths.home();
}
