import { isEnvelopeText } from "../../base/secret/envelope.ts";
import { shorten } from "../../base/text/shorten.ts";
import { workspaceBytes } from "../team/quota.ts";
import type { SettingDefinition } from "./definition.ts";

/** Either the value as it is stored, or why it is invalid: the end of a sentence that begins with the name of the setting. */
export type CheckedSetting = { value: string } | { fault: string };

/** Checks whether the text is a valid value. Messages never repeat the value of a secured setting. */
export function checkSetting(definition: SettingDefinition, given: string): CheckedSetting {
  if (definition.type === "secured") return checkSecret(definition.form, given);
  const text = given.trim();
  if (/\p{Cc}/u.test(text)) return { fault: "must not contain control characters" };
  // The database would treat it as a secret sealed with an unknown key.
  if (isEnvelopeText(text)) return { fault: "must not start like an encrypted secret" };
  switch (definition.type) {
    case "number":
      return checkNumber(definition, text);
    case "boolean":
      return checkWord(["true", "false"], text);
    case "select":
      return checkWord(
        definition.options.map(({ key }) => key),
        text,
      );
    case "size":
      return workspaceBytes(text) === undefined ? wrong(text, "a size such as 512Mi or 2Gi") : { value: withUnit(text) };
    case "gibibytes":
      return checkGibibytes(definition.maximum, text);
    case "url":
      return text === "" || isWebAddress(text) ? { value: text } : wrong(text, "empty, or a URL that starts with https:// or http://");
    case "text":
      return checkText(definition, text);
  }
}

function wrong(text: string, right: string): CheckedSetting {
  const shown = shorten(text, 80);
  return { fault: `is ${JSON.stringify(shown)}; it must be ${right}` };
}

function checkNumber({ minimum, maximum }: { minimum: number; maximum: number }, text: string): CheckedSetting {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= minimum && number <= maximum) return { value: String(number) };
  return wrong(text, `a whole number from ${minimum} to ${maximum}`);
}

function checkGibibytes(maximum: number, text: string): CheckedSetting {
  const number = Number(/^(\d{1,9})\s*(?:Gi)?$/.exec(text)?.[1] ?? Number.NaN);
  return number <= maximum ? { value: `${number}Gi` } : wrong(text, `whole gibibytes from 0Gi to ${maximum}Gi, such as 2Gi`);
}

function checkWord(words: readonly string[], text: string): CheckedSetting {
  const value = words.find((word) => word.toLowerCase() === text.toLowerCase());
  return value === undefined ? wrong(text, `one of ${words.join(", ")}`) : { value };
}

function checkText({ maxLength, isRequired }: { maxLength: number; isRequired?: true }, text: string): CheckedSetting {
  if (isRequired && text === "") return { fault: "must not be empty" };
  return text.length > maxLength ? { fault: `may have at most ${maxLength} characters, but has ${text.length}` } : { value: text };
}

function withUnit(text: string): string {
  return /[a-z]$/i.test(text) ? text : `${text}Gi`;
}

const secretLengths = { least: 4, most: 4096 };

function checkSecret(form: "text" | "pem", given: string): CheckedSetting {
  const value = given.trim();
  if (form === "pem") {
    const isKey = /^-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----(?:\s|\\[rn])[\s\S]+(?:\s|\\[rn])-----END (?:[A-Z]+ )?PRIVATE KEY-----$/.test(
      value,
    );
    return isKey ? { value: `${value}\n` } : { fault: "must be a private key in PEM format, from -----BEGIN to -----END" };
  }
  const { least, most } = secretLengths;
  if (/[\p{Cc}\s]/u.test(value)) return { fault: "must be a secret without spaces or line breaks" };
  if (value.length >= least && value.length <= most) return { value };
  return { fault: `must have ${least} to ${most} characters, but has ${value.length}` };
}

/** Without user name and password: addresses are shown to everyone. */
function isWebAddress(text: string): boolean {
  if (text.length > 2000 || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === "" && password === "";
}
