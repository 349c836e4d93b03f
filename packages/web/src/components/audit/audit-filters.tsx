import { Button, Group, Select, TextInput } from "@mantine/core";
import { t } from "../../texts/audit.ts";
import { TypedInput } from "../../ui/typed-input.tsx";
import classes from "./audit.module.css";
import { type AuditState, auditDefaults, isFiltered } from "./audit-filter.ts";
import { auditActions, kindWords } from "./audit-words.ts";

interface AuditFiltersProps {
  state: AuditState;
  onChange: (change: Partial<AuditState>) => void;
  /** Records of all teams are looked at. */
  isInstance: boolean;
}

const kinds = Object.entries(kindWords).map(([value, label]) => ({ value, label }));

/** Who, what, when: all of it in the address, so that a finding can be shared. */
export function AuditFilters({ state, onChange, isInstance }: AuditFiltersProps) {
  const set = (change: Partial<AuditState>) => onChange({ ...change, page: 0 });
  return (
    <Group gap="xs" align="flex-end" className={classes.filters} role="search" aria-label={t("auditFilters.filterAuditRecords")}>
      <TypedInput
        size="xs"
        label={t("auditFilters.who")}
        placeholder={t("auditFilters.whoPlaceholder")}
        value={state.actor}
        onSettle={(actor) => set({ actor })}
      />
      <Select
        size="xs"
        label={t("auditFilters.kind")}
        placeholder={t("auditFilters.kindPlaceholder")}
        data={kinds}
        value={state.kind || null}
        searchable
        clearable
        onChange={(kind) => set({ kind: kind ?? "" })}
      />
      <TypedInput
        size="xs"
        label={t("auditFilters.resource")}
        placeholder={t("auditFilters.resourcePlaceholder")}
        value={state.object}
        onSettle={(object) => set({ object })}
      />
      <Select
        size="xs"
        label={t("auditFilters.permissionUsed")}
        placeholder={t("auditFilters.kindPlaceholder")}
        data={[...auditActions]}
        value={state.action || null}
        searchable
        clearable
        onChange={(action) => set({ action: action ?? "" })}
      />
      {isInstance && (
        <TypedInput
          size="xs"
          label={t("auditFilters.team")}
          placeholder={t("auditFilters.resourcePlaceholder")}
          value={state.inTeam}
          onSettle={(inTeam) => set({ inTeam })}
        />
      )}
      <TextInput
        size="xs"
        type="date"
        label={t("auditFilters.from")}
        value={state.from}
        onChange={(event) => set({ from: event.currentTarget.value })}
      />
      <TextInput
        size="xs"
        type="date"
        label={t("auditFilters.to")}
        value={state.to}
        onChange={(event) => set({ to: event.currentTarget.value })}
      />
      {isFiltered(state) && (
        <Button size="xs" variant="subtle" onClick={() => onChange({ ...auditDefaults })}>
          {t("auditFilters.clear")}
        </Button>
      )}
    </Group>
  );
}
