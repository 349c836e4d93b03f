interface Value {
  name: string;
  value?: unknown;
}

/** Of the values of a run those that a search can have found it by: of many runs that it finds, they tell which is which. */
export function foundValues<Each extends Value>(values: readonly Each[], search: string): Each[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return values.filter(({ value }) => {
    const text = (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).toLowerCase();
    return words.some((word) => text.includes(word));
  });
}
