import { SimpleGrid, Switch, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../../texts/workflow/configure.ts";
import panel from "../../ui/panel.module.css";

interface LimitPanelProps {
  word: string;
  about: string;
  isOn: boolean;
  onSwitch: (isOn: boolean) => void;
  children: ReactNode;
}

/** A switch, with the fields of the limit below it when it is on. */
export function LimitPanel({ word, about, isOn, onSwitch, children }: LimitPanelProps) {
  return (
    <section className={panel.panel} aria-label={word}>
      <div className={panel.head}>
        <Switch label={word} description={about} checked={isOn} onChange={(event) => onSwitch(event.currentTarget.checked)} />
      </div>
      {isOn && (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" className={panel.body}>
          {children}
        </SimpleGrid>
      )}
    </section>
  );
}

interface KeyFieldProps {
  value: string;
  /** What applies separately to each value of the key. */
  about?: string;
  error: string | undefined;
  onChange: (key: string) => void;
}

export function KeyField({ value, about = t("limitsSection.keyHelp"), error, onChange }: KeyFieldProps) {
  return (
    <TextInput
      label={t("limitsSection.key")}
      description={about}
      placeholder="$(params.customer)"
      error={error}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
