import { json } from "@codemirror/lang-json";
import { markdown } from "@codemirror/lang-markdown";
import { yaml } from "@codemirror/lang-yaml";
import { StreamLanguage } from "@codemirror/language";
import { javascript } from "@codemirror/legacy-modes/mode/javascript";
import { python } from "@codemirror/legacy-modes/mode/python";
import { shell } from "@codemirror/legacy-modes/mode/shell";
import type { Extension } from "@codemirror/state";

export type CodeLanguage = "yaml" | "json" | "shell" | "javascript" | "python" | "markdown" | "text";

const languages: Readonly<Record<CodeLanguage, () => Extension>> = {
  yaml: () => yaml(),
  json: () => json(),
  markdown: () => markdown(),
  shell: () => StreamLanguage.define(shell),
  javascript: () => StreamLanguage.define(javascript),
  python: () => StreamLanguage.define(python),
  text: () => [],
};

export function languageOf(name: CodeLanguage = "text"): Extension {
  return languages[name]();
}
