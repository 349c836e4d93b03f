import { parseDocument, visit } from "yaml";
import { t } from "../texts/forms.ts";

/** An error in a text, with offsets into it. */
export interface TextFault {
  from: number;
  to: number;
  message: string;
}

/**
 * The value of a YAML text (which includes JSON), or where it can't be parsed. As in documents that the service reads, merge keys (`<<`)
 * are resolved and duplicate keys are errors. Anything that would be changed by parsing is an error too: a second document, or an integer
 * with more digits than a number can hold.
 */
export function readYamlValue(text: string): { value?: unknown; faults: TextFault[] } {
  const document = parseDocument(text, { prettyErrors: true, merge: true });
  const faults = document.errors.map(({ code, pos, message }) => ({
    from: pos[0],
    to: pos[1],
    message: code === "MULTIPLE_DOCS" ? t("yamlValue.textHoldsSeveralDocuments") : (message.split("\n")[0] ?? message),
  }));
  if (faults.length > 0) return { faults };
  visit(document, {
    Scalar(_, { value, source, range }) {
      if (typeof value !== "number" || !Number.isInteger(value) || Number.isSafeInteger(value) || !/^[-+]?\d+$/.test(source ?? "")) return;
      const message = t("yamlValue.numberHasMoreDigits", { source: String(source) });
      faults.push({ from: range?.[0] ?? 0, to: range?.[1] ?? 0, message });
    },
  });
  if (faults.length > 0) return { faults };
  const whole = (message: string) => ({ faults: [{ from: 0, to: Math.min(text.length, 80), message }] });
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    return whole((error as Error).message);
  }
  try {
    JSON.stringify(value);
  } catch {
    return whole(t("yamlValue.aliasStandsInsideWhat"));
  }
  return { value, faults };
}
