import { Anchor, Group, NumberInput, Select, Switch, Textarea, TextInput } from "@mantine/core";
import { Fragment, type ReactNode } from "react";
import type { SettingConfig } from "../../../api/queries/instance-settings.ts";
import { t } from "../../../texts/settings/administration.ts";
import { SecretField } from "../../../ui/form/text-fields.tsx";
import { isDraftChanged, isStoredChanged } from "./changed-settings.ts";
import classes from "./settings.module.css";

interface SettingFieldProps {
  setting: SettingConfig;
  /** The typed value, if it isn't saved yet. */
  draft: string | undefined;
  /** The label of the changed setting that requires this secret to be entered again. */
  moved: string | undefined;
  /** The error the service returned for this setting. */
  refused: ReactNode;
  isReadOnly: boolean;
  onChange: (value: string) => void;
}

/** One setting: its field, what it does, which values are allowed, and whether it differs from the default. */
export function SettingField({ setting, draft, moved, refused, isReadOnly, onChange }: SettingFieldProps) {
  const value = draft ?? setting.value ?? "";
  const shared = {
    label: <Label setting={setting} isDraft={isDraftChanged(setting, draft)} />,
    description: <CodeWords text={[setting.description, setting.helperText].filter(Boolean).join(" ")} />,
    placeholder: setting.placeholder ?? "",
    disabled: isReadOnly || setting.readOnly === true,
    error: moved === undefined ? refused : t("settingField.enterAgainHasChanged", { moved }),
  };
  return (
    <div>
      {field(setting, value, onChange, shared)}
      {setting.type !== "secured" && value !== (setting.defaultValue ?? "") && !shared.disabled && (
        <Anchor component="button" type="button" size="sm" mt={4} onClick={() => onChange(setting.defaultValue ?? "")}>
          {t("settingField.useDefault", { default: defaultText(setting) })}
        </Anchor>
      )}
    </div>
  );
}

type Shared = { label: ReactNode; description: ReactNode; placeholder: string; disabled: boolean; error: ReactNode };

function field(setting: SettingConfig, value: string, onChange: (value: string) => void, shared: Shared): ReactNode {
  const onText = (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value);
  switch (setting.type) {
    case "boolean": {
      const { placeholder: _none, ...rest } = shared;
      return <Switch {...rest} checked={value === "true"} onChange={(event) => onChange(String(event.currentTarget.checked))} />;
    }
    case "number":
      return (
        <NumberInput
          {...shared}
          styles={{ wrapper: { maxWidth: 240 } }}
          allowDecimal={false}
          value={value}
          onChange={(next) => onChange(String(next))}
        />
      );
    case "select":
      return (
        <Select
          {...shared}
          styles={{ wrapper: { maxWidth: 320 } }}
          allowDeselect={false}
          data={(setting.options ?? []).map(({ key, value: label }) => ({ value: key ?? "", label: label ?? key ?? "" }))}
          value={value}
          onChange={(next) => onChange(next ?? "")}
        />
      );
    case "secured":
      if (setting.language === "pem")
        return (
          <Textarea {...shared} autosize minRows={3} maxRows={8} autoComplete="off" spellCheck={false} value={value} onChange={onText} />
        );
      return <SecretField {...shared} autoComplete="new-password" value={value} onChange={onText} />;
    default:
      return <TextInput {...shared} type={setting.type === "url" ? "url" : "text"} value={value} onChange={onText} />;
  }
}

function Label({ setting, isDraft }: { setting: SettingConfig; isDraft: boolean }) {
  const isOwn = isStoredChanged(setting);
  const mark = isDraft ? t("settingField.notSaved") : isOwn ? (setting.type === "secured" ? "set" : "changed") : undefined;
  return (
    <Group component="span" gap="xs" display="inline-flex">
      {setting.label ?? setting.key}
      {mark && (
        <span className={classes.mark} data-draft={isDraft || undefined}>
          {mark}
        </span>
      )}
    </Group>
  );
}

function defaultText({ type, defaultValue, options }: SettingConfig): string {
  if (!defaultValue) return t("settingField.empty");
  if (type === "boolean") return t(defaultValue === "true" ? "settingField.on" : "settingField.off");
  return options?.find(({ key }) => key === defaultValue)?.value ?? defaultValue;
}

/** A sentence from the service, with names in backticks shown as code. */
export function CodeWords({ text }: { text: string | null | undefined }) {
  const parts = (text ?? "").split("`");
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text stay in their order
  return parts.map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : <Fragment key={index}>{part}</Fragment>));
}
