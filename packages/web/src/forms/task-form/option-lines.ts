interface Option {
  key: string;
  value?: string | undefined;
}

/** One a line: `key`, or `key: what people see`. */
export function textOfOptions(options: readonly Option[]): string {
  return options.map(({ key, value }) => (value && value !== key ? `${key}: ${value}` : key)).join("\n");
}

export function optionsOf(text: string): Required<Option>[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => {
    const [key = "", ...label] = line.split(": ");
    return { key: key.trim(), value: label.join(": ").trim() || key.trim() };
  });
}
