import type { Diagnostic } from "@codemirror/lint";
import { IconCheck } from "@tabler/icons-react";
import { useMemo } from "react";
import { t } from "../../texts/shared.ts";
import { CodeEditor } from "../../ui/code/code-editor.tsx";
import type { CodeEditorProps } from "../../ui/code/code-mirror.tsx";
import { CommentNotice } from "./comment-notice.tsx";
import classes from "./yaml-pane.module.css";

interface YamlPaneProps {
  label: string;
  text: string;
  onChange: (text: string) => void;
  /** Undefined: no validation result is shown. */
  check: DocumentCheck | undefined;
  isReadOnly: boolean;
  maxHeight: NonNullable<CodeEditorProps["maxHeight"]>;
}

/** The document with its errors: each at its line, and as a list below. */
export function YamlPane({ label, text, onChange, check, isReadOnly, maxHeight }: YamlPaneProps) {
  const faults = check?.faults;
  const diagnostics = useMemo(() => diagnosticsOf(text, faults ?? []), [text, faults]);
  return (
    <div>
      <CodeEditor
        label={label}
        value={text}
        onChange={onChange}
        language="yaml"
        isReadOnly={isReadOnly}
        minHeight="240px"
        maxHeight={maxHeight}
        diagnostics={diagnostics}
      />
      {check && <Findings check={check} />}
      {!isReadOnly && <CommentNotice text={text} />}
    </div>
  );
}

function Findings({ check: { faults, warnings, isPending } }: { check: DocumentCheck }) {
  if (faults.length + warnings.length === 0)
    return (
      <p className={classes.fine} role="status">
        {isPending ? t("yamlPane.checking") : [<IconCheck key="mark" size={14} aria-hidden />, t("yamlPane.valid")]}
      </p>
    );
  return (
    <ul className={classes.faults} aria-label={t("yamlPane.problems")}>
      {faults.map(({ line, path, message }) => (
        <li key={`${line} ${path} ${message}`} className={classes.fault}>
          {line !== undefined && <span className={classes.place}>{t("yamlPane.line", { line: String(line) })}</span>}
          <span>{message}</span>
        </li>
      ))}
      {warnings.map((warning) => (
        <li key={warning} className={classes.fault} data-warning>
          <span className={classes.place}>{t("yamlPane.warning")}</span>
          <span>{warning}</span>
        </li>
      ))}
    </ul>
  );
}

/** The errors that have a line, as markers for the editor: from their column to the end of the line. */
export function diagnosticsOf(text: string, faults: DocumentCheck["faults"]): Diagnostic[] {
  const lines = text.split("\n");
  return faults.flatMap(({ line, column = 1, message }) => {
    if (line === undefined || line > lines.length) return [];
    const start = lines.slice(0, line - 1).reduce((offset, one) => offset + one.length + 1, 0);
    const end = start + (lines[line - 1]?.length ?? 0);
    return [{ from: Math.min(start + column - 1, end), to: end, severity: "error" as const, message }];
  });
}

/** The known errors of a document. */
export interface DocumentCheck {
  faults: readonly { path: string; message: string; line?: number; column?: number }[];
  warnings: readonly string[];
  /** Whether the service has not yet validated the current text. */
  isPending: boolean;
}
