import { t } from "../../texts/identity/profile.ts";

const browsers: readonly [RegExp, string][] = [
  [/Edg\//, t("browserName.edge")],
  [/OPR\//, t("browserName.opera")],
  [/Firefox\//, t("browserName.firefox")],
  [/HeadlessChrome\/|Chrome\/|CriOS\//, t("browserName.chrome")],
  [/Safari\//, t("browserName.safari")],
  [/^curl\//, "curl"],
];
const systems: readonly [RegExp, string][] = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, t("browserName.android")],
  [/Windows/, t("browserName.windows")],
  [/Mac OS X|Macintosh/, "macOS"],
  [/Linux|X11/, t("browserName.linux")],
];

/** `Firefox on Linux`, as far as the user agent header says. */
export function browserName(userAgent: string | null): string {
  if (userAgent === null || userAgent === "") return t("browserName.unknownBrowser");
  const find = (names: readonly [RegExp, string][]) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = find(browsers);
  const system = find(systems);
  if (browser === undefined) return userAgent.slice(0, 60);
  return system === undefined ? browser : t("browserName.on", { browser, system });
}
