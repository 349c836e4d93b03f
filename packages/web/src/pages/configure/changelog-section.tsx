import { Anchor, Table } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { workflowChangesQuery } from "../../api/queries/workflows.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/configure.ts";
import { PlaceLink } from "../../ui/place-link.tsx";
import { NotLoaded } from "../../ui/state/not-loaded.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import classes from "./configure.module.css";
import type { SectionProps } from "./section.ts";

/** Who changed it, when and why; each version leads to what differs in it. */
export function ChangelogSection({ team, workflow }: SectionProps) {
  const query = useQuery(workflowChangesQuery(team, workflow.name));
  const { data } = query;
  if (data === undefined) return <NotLoaded query={query} label={t("changelogSection.loadingChangeLog")} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={classes.box} aria-label={t("changelogSection.changeLog")} tabIndex={0}>
      <Table verticalSpacing={6} miw={520}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("changelogSection.version")}</Table.Th>
            <Table.Th>{t("changelogSection.reason")}</Table.Th>
            <Table.Th>{t("changelogSection.by")}</Table.Th>
            <Table.Th>{t("changelogSection.when")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.toReversed().map(({ version, reason, author, date }) => (
            <Table.Tr key={version}>
              <Table.Td>
                <Anchor
                  component={PlaceLink}
                  inherit
                  to={paths.workflow(team, workflow.name, "versions")}
                  search={{ before: Math.max(1, version - 1), after: version }}
                >
                  {version}
                </Anchor>
                {version === workflow.version && <span className="quiet"> {t("changelogSection.current")}</span>}
              </Table.Td>
              <Table.Td>{reason}</Table.Td>
              <Table.Td>{author}</Table.Td>
              <Table.Td>
                <TimeText at={date} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
