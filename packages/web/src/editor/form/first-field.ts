import type { components } from "@millrace/client/schema.generated.ts";
import { createContext, type RefObject, useContext, useEffect, useState } from "react";

/** The task whose first field gets the focus when its form appears: the one that was just added, or opened to be fixed. */
export const FirstFieldContext = createContext<RefObject<string | undefined>>({ current: undefined });

/** Whether this task is the one. Only the first time: when the form appears again, the focus stays where it is. */
export function useTakesFocus(task: string): boolean {
  const wanted = useContext(FirstFieldContext);
  const [isWanted] = useState(() => wanted.current === task);
  useEffect(() => {
    if (wanted.current === task) wanted.current = undefined;
  }, [wanted, task]);
  return isWanted;
}

type Declared = Pick<components["schemas"]["AbstractParam"], "name" | "type" | "required">;

/**
 * The field to fill in first: the script, otherwise a required field, otherwise the only one. Undefined: the task can run without input.
 */
export function firstField(declared: readonly Declared[]): string | undefined {
  const isCode = ({ type }: Declared) => type === "json" || type?.startsWith("texteditor") === true;
  const isWritten = ({ type }: Declared) => !["boolean", "select", "multiselect"].includes(type ?? "text");
  const required = declared.length === 1 ? declared : declared.filter((param) => param.required === true);
  const written = required.filter(isWritten);
  return (written.find(isCode) ?? written[0])?.name;
}
