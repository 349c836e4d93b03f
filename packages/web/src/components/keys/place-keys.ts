/**
 * The letter after `g`, by the end of the address. Addresses come from `GET /api/v2/navigation`: a key leads nowhere where its
 * place is not shown.
 */
const letters: Readonly<Record<string, string>> = {
  "/home": "h",
  "/workflows": "w",
  "/activity": "a",
  "/actions": "i",
  "/insights": "n",
  "/schedules": "s",
  "/integrations": "o",
  "/task-manager": "t",
  "/parameters": "p",
  "/manage": "m",
  "/admin/teams": "d",
};

export interface Place {
  name: string;
  link: string;
}

/** The letter that leads to that address after `g`. */
export function letterOf(link: string): string | undefined {
  return letters[link] ?? (link.startsWith("/admin/") ? undefined : letters[link.slice(link.indexOf("/", 1))]);
}

/** Where `g` and that letter lead. */
export function placeOf(letter: string, places: readonly Place[]): Place | undefined {
  return places.find(({ link }) => letterOf(link) === letter);
}
