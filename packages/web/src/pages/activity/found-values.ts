interface Value {
  name: string;
  value?: unknown;
}

/** The values of a run that match the search. They help to tell the runs in a long result list apart. */
export function foundValues<Each extends Value>(values: readonly Each[], search: string): Each[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return values.filter(({ value }) => {
    const text = (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).toLowerCase();
    return words.some((word) => text.includes(word));
  });
}
