/**
 * The first import cycle, as the files on its path: `a.ts -> b.ts -> a.ts`. A cycle of types alone causes no failure at run time, but its
 * files can only be understood together.
 */
export function findImportCircle(imports: readonly { from: string; to: string }[]): string | undefined {
  const needs = new Map<string, string[]>();
  for (const { from, to } of imports) needs.set(from, [...(needs.get(from) ?? []), to]);
  const path: string[] = [];
  const done = new Set<string>();
  const visit = (file: string): string | undefined => {
    if (done.has(file)) return undefined;
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file].join(" -> ");
    path.push(file);
    const circle = firstOf(needs.get(file) ?? [], visit);
    path.pop();
    done.add(file);
    return circle;
  };
  return firstOf(needs.keys(), visit);
}

/** The result of the first item that has one; the later ones are not evaluated. */
function firstOf<Thing>(things: Iterable<Thing>, ask: (thing: Thing) => string | undefined): string | undefined {
  for (const thing of things) {
    const found = ask(thing);
    if (found !== undefined) return found;
  }
  return undefined;
}
