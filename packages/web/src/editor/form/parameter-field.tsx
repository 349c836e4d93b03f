import type { CompletionSource } from "@codemirror/autocomplete";
import { ActionIcon, MultiSelect, Select, Switch, Text, Tooltip } from "@mantine/core";
import type { components } from "@millrace/client/schema.generated.ts";
import { IconVariable } from "@tabler/icons-react";
import { memo, useContext, useMemo, useState } from "react";
import { textOf } from "../../forms/parameter-values.ts";
import { t } from "../../texts/workflow/designer.ts";
import { CodeEditor } from "../../ui/code/code-editor.tsx";
import type { CodeLanguage } from "../../ui/code/code-look.ts";
import { SecretField } from "../../ui/form/text-fields.tsx";
import { usePreview } from "../node/preview-context.ts";
import { WideContext } from "../node/wide-context.ts";
import { hasReference, type NodeParam, valueOfJson } from "./node-params.ts";
import classes from "./parameter-field.module.css";
import { ReferenceField } from "./reference-field.tsx";
import { matchingReferences, type Offer, openReference } from "./references.ts";
import { useFieldPreview } from "./use-field-preview.tsx";

type Param = components["schemas"]["AbstractParam"];

interface ParameterFieldProps {
  param: Param;
  given: NodeParam | undefined;
  available: readonly Offer[];
  /** Takes the focus when it appears. */
  autoFocus?: boolean;
  onChange: (value: unknown) => void;
}

interface MemberFieldProps extends Omit<ParameterFieldProps, "onChange"> {
  onChange: (name: string, value: unknown) => void;
}

/**
 * One parameter: a field of its type, or a text field for references where the type has no room for them. It is rendered again only when
 * its own props change, so that typing in one field costs nothing for the others.
 */
export const ParameterField = memo(function ParameterField({ onChange, ...rest }: MemberFieldProps) {
  const { param, given } = rest;
  const props = { ...rest, onChange: (value: unknown) => onChange(param.name, value) };
  const [isText, setText] = useState(hasReference(given?.value));
  const isChoice =
    ["boolean", "select", "multiselect"].includes(param.type ?? "") && (param.type === "boolean" || (param.options ?? []).length > 0);
  if (!isChoice) return <WrittenField {...props} />;
  const label = param.label || param.name;
  return (
    <div className={classes.choice}>
      {isText ? <WrittenField {...props} /> : <ChoiceField {...props} />}
      <Tooltip label={isText ? t("parameterField.selectValue") : t("parameterField.useReferenceInstead")}>
        <ActionIcon
          variant={isText ? "light" : "subtle"}
          aria-label={isText ? t("parameterField.selectValue2", { label }) : t("parameterField.useReference", { label })}
          onClick={() => setText(!isText)}
        >
          <IconVariable size={16} />
        </ActionIcon>
      </Tooltip>
    </div>
  );
});

function sharedOf(param: Param) {
  return {
    label: param.label || param.name,
    description: param.helpertext || param.description,
    required: param.required === true,
    placeholder: param.placeholder || (param.default ? t("parameterField.default", { default: textOf(param.default) }) : ""),
  };
}

function ChoiceField({ param, given, onChange }: ParameterFieldProps) {
  const shared = sharedOf(param);
  const value = given?.value ?? param.default;
  const options = (param.options ?? []).map(({ key, value: label }) => ({ value: key, label: label ?? key }));
  if (param.type === "boolean") {
    const { label, description } = shared;
    const isOn = value === true || value === "true";
    return <Switch label={label} description={description} checked={isOn} onChange={(event) => onChange(event.currentTarget.checked)} />;
  }
  if (param.type === "multiselect")
    return <MultiSelect {...shared} data={options} value={Array.isArray(value) ? value.map(String) : []} onChange={onChange} />;
  return <Select {...shared} data={options} value={textOf(value) || null} onChange={onChange} clearable />;
}

function WrittenField({ param, given, available, autoFocus = false, onChange }: ParameterFieldProps) {
  const shared = sharedOf(param);
  const text = textOf(given?.value);
  const type = param.type ?? "text";
  if (type === "password" && !hasReference(text))
    return (
      <SecretField
        {...shared}
        placeholder={given?.hiddenValue ? t("parameterField.secretStoredTypeReplacePlaceholder") : shared.placeholder}
        autoComplete="new-password"
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  if (type === "json" || type.startsWith("texteditor")) return <CodeField {...{ param, text, available, autoFocus, onChange }} />;
  return (
    <ReferenceField
      {...shared}
      value={text}
      onChange={onChange}
      available={available}
      param={param.name}
      isLong={type === "textarea" || text.includes("\n")}
      autoFocus={autoFocus}
    />
  );
}

/** A script or JSON: in the large editor with syntax highlighting, and with invalid references underlined. */
function CodeField({ param, text, available, autoFocus = false, onChange }: Omit<ParameterFieldProps, "given"> & { text: string }) {
  const shared = sharedOf(param);
  const isWide = useContext(WideContext);
  const { setTarget } = usePreview();
  const { line, unknown } = useFieldPreview(param.name, text);
  const isScript = param.type !== "json";
  const isProgram = ["shell", "python", "javascript"].includes(languageOf(param));
  const diagnostics = useMemo(
    () => unknown.map((part) => ({ ...part, severity: "error" as const, message: t("parameterField.leadsNowhere") })),
    [unknown],
  );
  return (
    <div>
      <Text size="sm" fw={500} component="div">
        {shared.label}
        {shared.required && <span className={classes.required}> *</span>}
      </Text>
      {shared.description && (
        <Text size="xs" className="quiet">
          {shared.description}
        </Text>
      )}
      <CodeEditor
        label={shared.label}
        language={languageOf(param)}
        placeholder={shared.placeholder}
        value={text}
        minHeight={isWide && isProgram ? "min(420px, 50dvh)" : "120px"}
        maxHeight={isWide ? "70dvh" : "400px"}
        complete={referenceCompletion(available)}
        diagnostics={diagnostics}
        autoFocus={autoFocus}
        onFocus={setTarget}
        onChange={(next) => next !== text && onChange(isScript ? next : valueOfJson(next))}
      />
      {line}
    </div>
  );
}

const known: readonly CodeLanguage[] = ["yaml", "json", "shell", "javascript", "python", "markdown"];

function languageOf({ type = "", language }: Param): CodeLanguage {
  const word = type === "json" ? "json" : (language ?? type.split("::")[1]);
  return known.find((each) => each === word) ?? "text";
}

/** The part of a value that fits beside a suggestion. */
function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

/** Completes references in a code editor, after `$(`. */
function referenceCompletion(available: readonly Offer[]): CompletionSource {
  return (context) => {
    const { from: start, text } = context.state.doc.lineAt(context.pos);
    const open = openReference(text, context.pos - start);
    if (!open) return null;
    const isClosed = context.state.sliceDoc(context.pos, context.pos + 1) === ")";
    return {
      from: start + Math.min(open.from + 2, context.pos - start),
      filter: false,
      options: matchingReferences(available, open.typed).map(({ name, last }) => ({
        label: name,
        type: "variable",
        ...(last !== undefined && { detail: shorten(last) }),
        apply: isClosed ? name : `${name})`,
      })),
    };
  };
}
