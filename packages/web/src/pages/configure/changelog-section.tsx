import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { workflowChangesQuery } from "../../api/queries/workflows.ts";
import { paths } from "../../paths.ts";
import { PlaceLink } from "../../ui/place-link.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import type { SectionProps } from "./use-section-draft.ts";

/** Who changed it, when and why; each version leads to what differs in it. */
export function ChangelogSection({ team, workflow }: SectionProps) {
  const query = useQuery(workflowChangesQuery(team, workflow.name));
  return (
    <DataTable
      label="Change log"
      minWidth={520}
      query={query}
      rows={query.data?.toReversed()}
      keyOf={({ version }) => String(version)}
      columns={[
        {
          title: "Version",
          kind: "short",
          cell: ({ version }) => (
            <>
              <Anchor
                component={PlaceLink}
                inherit
                to={paths.workflow(team, workflow.name, "versions")}
                search={{ before: Math.max(1, version - 1), after: version }}
              >
                {version}
              </Anchor>
              {version === workflow.version && <span className="quiet"> current</span>}
            </>
          ),
        },
        { title: "Reason", cell: ({ reason }) => reason },
        { title: "By", cell: ({ author }) => author },
        { title: "When", kind: "short", cell: ({ date }) => <TimeText at={date} /> },
      ]}
    />
  );
}
