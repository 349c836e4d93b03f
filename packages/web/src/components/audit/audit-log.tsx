import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { auditPageSize, auditQuery } from "../../api/queries/audit.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { EmptyState } from "../../ui/state/empty-state.tsx";
import { NotLoaded } from "../../ui/state/not-loaded.tsx";
import { PageSteps } from "../../ui/table/page-steps.tsx";
import { AuditDetail } from "./audit-detail.tsx";
import { auditDefaults, isFiltered, toAuditFilter } from "./audit-filter.ts";
import { AuditFilters } from "./audit-filters.tsx";
import { AuditTable } from "./audit-table.tsx";

/**
 * Who changed what, in a team or, without one, in the whole instance. What is looked for and the record that is open are in the address.
 */
export function AuditLog({ team }: { team?: string }) {
  const why = useRights(team).whyNot(team === undefined ? "system/read" : "team/write");
  if (why === undefined) return <Records team={team} />;
  return (
    <EmptyState title="You don't have access to the audit log">
      <Text className="quiet">It shows what each member did. Ask an owner. {why}</Text>
    </EmptyState>
  );
}

function Records({ team }: { team: string | undefined }) {
  const [state, change] = useSearchState(auditDefaults);
  const query = useQuery(auditQuery(team, toAuditFilter(state)));
  const { data } = query;
  return (
    <Stack gap="sm">
      <AuditFilters state={state} onChange={change} isInstance={team === undefined} />
      <NotLoaded query={query} label="Loading audit records" rows={10} />
      {data?.content.length === 0 && <EmptyState title={isFiltered(state) ? "No records match" : "No changes recorded yet"} />}
      {data !== undefined && data.content.length > 0 && (
        <AuditTable entries={data.content} isInstance={team === undefined} onOpen={(entry) => change({ entry }, { replace: false })} />
      )}
      {data !== undefined && (
        <PageSteps page={state.page} size={auditPageSize} total={data.totalElements} onChange={(page) => change({ page })} />
      )}
      <AuditDetail
        team={team}
        id={state.entry}
        onClose={() => change({ entry: "" })}
        onNarrow={(narrow) => change({ ...auditDefaults, ...narrow }, { replace: false })}
      />
    </Stack>
  );
}
