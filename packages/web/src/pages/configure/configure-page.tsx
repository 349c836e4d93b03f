import { Button, NavLink, Stack, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import type { ComponentType } from "react";
import { workflowQuery } from "../../api/queries/workflows.ts";
import { paths } from "../../paths.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { LoadingState } from "../../ui/loading-state.tsx";
import { ChangelogSection } from "./changelog-section.tsx";
import classes from "./configure.module.css";
import { GeneralSection } from "./general-section.tsx";
import { OptionsSection } from "./options-section.tsx";
import { ParametersSection } from "./parameters-section.tsx";
import { SchedulesSection } from "./schedules-section.tsx";
import type { SectionProps } from "./section.ts";
import { TokensSection } from "./tokens-section.tsx";
import { TriggersSection } from "./triggers-section.tsx";
import { WorkspacesSection } from "./workspaces-section.tsx";

interface Section {
  word: string;
  content: ComponentType<SectionProps>;
}

const sections: Readonly<Record<string, Section>> = {
  general: { word: "General", content: GeneralSection },
  parameters: { word: "Parameters", content: ParametersSection },
  triggers: { word: "Triggers", content: TriggersSection },
  options: { word: "Options", content: OptionsSection },
  workspaces: { word: "Workspaces", content: WorkspacesSection },
  tokens: { word: "Tokens", content: TokensSection },
  schedules: { word: "Schedules", content: SchedulesSection },
  changelog: { word: "Change log", content: ChangelogSection },
};

/** Everything of a workflow but its graph: a list of sections, and the one that the address names. */
export function ConfigurePage() {
  const { team, workflow, section } = useParams({ strict: false }) as { team: string; workflow: string; section: string };
  return (
    <div className={classes.page}>
      <nav className={classes.sections} aria-label="Sections of the configuration">
        {Object.entries(sections).map(([key, { word }]) => (
          <NavLink
            key={key}
            component={Link}
            to={paths.workflowConfigure(team, workflow, key)}
            label={word}
            active={key === section}
            aria-current={key === section ? "page" : undefined}
            className={classes.place}
          />
        ))}
      </nav>
      <div className={classes.content}>
        <Content team={team} workflow={workflow} section={section} />
      </div>
    </div>
  );
}

function Content({ team, workflow, section }: { team: string; workflow: string; section: string }) {
  const { data, error, refetch } = useQuery(workflowQuery(team, workflow));
  const chosen = sections[section];
  if (chosen === undefined)
    return (
      <EmptyState title="There is no such section">
        <Button variant="default" component={Link} to={paths.workflowConfigure(team, workflow)}>
          To the general section
        </Button>
      </EmptyState>
    );
  if (data === undefined)
    return error === null ? <LoadingState label="Loading the workflow" /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <Stack gap="md">
      <Title order={2}>{chosen.word}</Title>
      <chosen.content key={`${section} ${data.data.id}`} team={team} workflow={data.data} etag={data.etag} />
    </Stack>
  );
}
