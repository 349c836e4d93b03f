import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";

export const source = fileURLToPath(new URL("../../src", import.meta.url));

export const readSource = (file: string) => readFileSync(join(source, file), "utf8");

const words = (file: string, pattern: RegExp) => [...readSource(file).matchAll(pattern)].map(([, word]) => word as string);

/** For pages with sections: the words for the sections in their URLs. */
export const sections: Readonly<Record<string, readonly string[]>> = {
  "/profile/$section": words("pages/profile/profile-page.tsx", /\{ value: "(\w+)", label:/g),
  "/admin/$section": words("pages/admin/admin-sections.tsx", /^ {2}(\w+): \{/gm),
  "/$team/manage/$section": words("pages/manage/manage-page.tsx", /\{ word: "(\w+)", name:/g),
  "/$team/workflows/$workflow/configure/$section": words("pages/configure/configure-page.tsx", /^ {2}(\w+): \{ word:/gm),
};
/** Routes that redirect to other screens, or report a missing page. */
const frames = ["/$team", "/$team/workflows/$workflow", "/$", "/$team/$"];

/** The paths of routes.tsx that show a screen. */
export function screens(): string[] {
  const text = readSource("routes.tsx");
  const routes = [...text.matchAll(/const (\w+) = createRoute\(\{([\s\S]*?)\n?\}\);/g)].map(([, name, body = ""]) => ({
    name: name as string,
    parent: /getParentRoute: \(\) => (\w+)/.exec(body)?.[1] as string,
    path: /\bpath: "([^"]*)"/.exec(body)?.[1] ?? "",
    isScreen: /\bcomponent: /.test(body) && !/\bid: "/.test(body),
  }));
  expect(routes).toHaveLength(text.split("createRoute(").length - 1);
  const pathOf = (name: string): string => {
    const route = routes.find((one) => one.name === name);
    return route === undefined ? "" : `${pathOf(route.parent)}/${route.path}`.replace(/\/+/g, "/");
  };
  const paths = routes.filter(({ isScreen }) => isScreen).map(({ name }) => pathOf(name));
  const shown = paths.flatMap((path) => sections[path]?.map((word) => path.replace("$section", word)) ?? [path]);
  return shown.filter((path) => !frames.includes(path));
}
