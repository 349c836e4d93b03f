import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { workflowChangesQuery } from "../../api/queries/workflows.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/configure.ts";
import { PlaceLink } from "../../ui/place-link.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import type { SectionProps } from "./use-section-draft.ts";

/** Who changed it, when and why; each version leads to what differs in it. */
export function ChangelogSection({ team, workflow }: SectionProps) {
  const query = useQuery(workflowChangesQuery(team, workflow.name));
  return (
    <DataTable
      label={t("changelogSection.changeLog")}
      minWidth={520}
      query={query}
      rows={query.data?.toReversed()}
      keyOf={({ version }) => String(version)}
      columns={[
        {
          title: t("changelogSection.version"),
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
              {version === workflow.version && <span className="quiet"> {t("changelogSection.current")}</span>}
            </>
          ),
        },
        { title: t("changelogSection.reason"), cell: ({ reason }) => reason },
        { title: t("changelogSection.by"), cell: ({ author }) => author },
        { title: t("changelogSection.when"), kind: "short", cell: ({ date }) => <TimeText at={date} /> },
      ]}
    />
  );
}
