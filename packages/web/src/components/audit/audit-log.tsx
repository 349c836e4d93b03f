import { Button, Group, Select, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type AuditEntry, auditPageSize, auditQuery } from "../../api/queries/settings.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { t } from "../../texts/audit.ts";
import { TypedInput } from "../../ui/form/text-fields.tsx";
import { ListSection } from "../../ui/list/list-page.tsx";
import { EmptyState } from "../../ui/state/notice.tsx";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import classes from "./audit.module.css";
import { Actor, AuditDetail } from "./audit-detail.tsx";
import { type AuditState, auditDefaults, isFiltered, toAuditFilter } from "./audit-filter.ts";
import { auditActions, auditVerb, kindWords, permissionWords } from "./audit-words.ts";

/** Who changed what, in a team or, without a team, in the whole instance. The URL stores the filter and the open record. */
export function AuditLog({ team }: { team?: string }) {
  const why = useRights(team).whyNot(team === undefined ? "system/read" : "team/write");
  if (why === undefined) return <Records team={team} />;
  return (
    <EmptyState title={t("auditLog.dontHaveAccessAudit")}>
      <Text className="quiet">{t("auditLog.showsWhatEachMember", { why })}</Text>
    </EmptyState>
  );
}

function Records({ team }: { team: string | undefined }) {
  const [state, change] = useSearchState(auditDefaults);
  const query = useQuery(auditQuery(team, toAuditFilter(state)));
  const { data } = query;
  const isInstance = team === undefined;
  return (
    <ListSection
      filters={<AuditFilters state={state} onChange={change} isInstance={isInstance} />}
      pages={data && { page: state.page, size: auditPageSize, total: data.totalElements, onChange: (page: number) => change({ page }) }}
    >
      <DataTable
        label={t("auditLog.auditRecords")}
        minWidth={640}
        columns={auditColumns(isInstance, (entry) => change({ entry }, { replace: false }))}
        query={query}
        loadingRows={10}
        rows={data?.content}
        keyOf={({ id }) => id}
        empty={<EmptyState title={isFiltered(state) ? t("auditLog.noRecordsMatch") : t("auditLog.noChangesRecordedYet")} />}
      />
      <AuditDetail
        team={team}
        id={state.entry}
        onClose={() => change({ entry: "" })}
        onNarrow={(narrow) => change({ ...auditDefaults, ...narrow }, { replace: false })}
      />
    </ListSection>
  );
}

/** The columns for time, actor and change. */
function auditColumns(isInstance: boolean, onOpen: (id: string) => void): (Column<AuditEntry> | false)[] {
  return [
    { title: t("auditLog.when"), kind: "short", cell: ({ date }) => <TimeText at={date} /> },
    { title: t("auditLog.who"), width: 168, cell: ({ actor }) => <Actor actor={actor} /> },
    { title: t("auditLog.what"), isBreakable: true, cell: (entry) => <What entry={entry} /> },
    isInstance && { title: t("auditLog.team"), cell: ({ team }) => team?.name ?? team?.id ?? <span className="quiet">–</span> },
    { title: t("auditLog.permissionUsed"), isBreakable: true, cell: ({ action }) => <Permission of={action} /> },
    {
      title: t("auditLog.details"),
      kind: "actions",
      cell: ({ id }) => (
        <Button size="compact-xs" variant="default" onClick={() => onOpen(id)}>
          {t("auditLog.details")}
        </Button>
      ),
    },
  ];
}

function Permission({ of }: { of: string }) {
  return (
    <span className="quiet" title={of}>
      {permissionWords(of)}
    </span>
  );
}

function What({ entry }: { entry: AuditEntry }) {
  const { kind, name, id } = entry.object;
  return (
    <>{t.rich("auditLog.change", { verb: auditVerb(entry), kind: kindWords[kind] ?? kind, name: () => <strong>{name ?? id}</strong> })}</>
  );
}

interface AuditFiltersProps {
  state: AuditState;
  onChange: (change: Partial<AuditState>) => void;
  /** Records of all teams are shown. */
  isInstance: boolean;
}

const permissions = auditActions.map((value) => ({ value, label: permissionWords(value) }));
const kinds = Object.entries(kindWords).map(([value, label]) => ({ value, label }));

/** Filters by actor, action and time. All are stored in the URL, so that a result can be shared. */
function AuditFilters({ state, onChange, isInstance }: AuditFiltersProps) {
  const set = (change: Partial<AuditState>) => onChange({ ...change, page: 0 });
  return (
    <Group gap="xs" align="flex-end" className={classes.filters} role="search" aria-label={t("auditLog.filterAuditRecords")}>
      <TypedInput
        size="xs"
        label={t("auditLog.who")}
        placeholder={t("auditLog.whoPlaceholder")}
        value={state.actor}
        onSettle={(actor) => set({ actor })}
      />
      <Select
        size="xs"
        label={t("auditLog.kind")}
        placeholder={t("auditLog.kindPlaceholder")}
        data={kinds}
        value={state.kind || null}
        searchable
        clearable
        onChange={(kind) => set({ kind: kind ?? "" })}
      />
      <TypedInput
        size="xs"
        label={t("auditLog.resource")}
        placeholder={t("auditLog.resourcePlaceholder")}
        value={state.object}
        onSettle={(object) => set({ object })}
      />
      <Select
        size="xs"
        label={t("auditLog.permissionUsed")}
        placeholder={t("auditLog.kindPlaceholder")}
        data={permissions}
        value={state.action || null}
        searchable
        clearable
        onChange={(action) => set({ action: action ?? "" })}
      />
      {isInstance && (
        <TypedInput
          size="xs"
          label={t("auditLog.team")}
          placeholder={t("auditLog.resourcePlaceholder")}
          value={state.inTeam}
          onSettle={(inTeam) => set({ inTeam })}
        />
      )}
      <TextInput
        size="xs"
        type="date"
        label={t("auditLog.from")}
        value={state.from}
        onChange={(event) => set({ from: event.currentTarget.value })}
      />
      <TextInput
        size="xs"
        type="date"
        label={t("auditLog.to")}
        value={state.to}
        onChange={(event) => set({ to: event.currentTarget.value })}
      />
      {isFiltered(state) && (
        <Button size="xs" variant="subtle" onClick={() => onChange({ ...auditDefaults })}>
          {t("auditLog.clear")}
        </Button>
      )}
    </Group>
  );
}
