const ids = new WeakMap<object, number>();
let last = 0;

/** A short id for an immutable object, so that query keys needn't contain the whole object. */
export function objectId(thing: object): number {
  const known = ids.get(thing) ?? ++last;
  ids.set(thing, known);
  return known;
}
