import type { Diagnostic } from "@codemirror/lint";
import type { DocumentCheck } from "./document-check.ts";

/** Faults with a line, as the editor marks them: from their column to the end of the line. */
export function diagnosticsOf(text: string, faults: DocumentCheck["faults"]): Diagnostic[] {
  const lines = text.split("\n");
  return faults.flatMap(({ line, column = 1, message }) => {
    if (line === undefined || line > lines.length) return [];
    const start = lines.slice(0, line - 1).reduce((offset, one) => offset + one.length + 1, 0);
    const end = start + (lines[line - 1]?.length ?? 0);
    return [{ from: Math.min(start + column - 1, end), to: end, severity: "error" as const, message }];
  });
}
