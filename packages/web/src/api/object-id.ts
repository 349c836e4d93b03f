const ids = new WeakMap<object, number>();
let last = 0;

/** A short word for an object that is never changed, so that the key of a query needs not hold all of it. */
export function objectId(thing: object): number {
  const known = ids.get(thing) ?? ++last;
  ids.set(thing, known);
  return known;
}
