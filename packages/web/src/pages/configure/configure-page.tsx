import { Button, NavLink, Stack, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ComponentType } from "react";
import { useDraft } from "../../editor/draft/draft-context.ts";
import { useParam, useTeam } from "../../hooks/use-team.ts";
import { paths } from "../../paths.ts";
import { EmptyState } from "../../ui/state/empty-state.tsx";
import { ChangelogSection } from "./changelog-section.tsx";
import classes from "./configure.module.css";
import { GeneralSection } from "./general-section.tsx";
import { OptionsSection } from "./options-section.tsx";
import { ParametersSection } from "./parameters-section.tsx";
import { SchedulesSection } from "./schedules-section.tsx";
import { TokensSection } from "./tokens-section.tsx";
import { TriggersSection } from "./triggers/triggers-section.tsx";
import type { SectionProps } from "./use-section-draft.ts";
import { WorkspacesSection } from "./workspaces-section.tsx";

interface Section {
  word: string;
  content: ComponentType<SectionProps>;
  /** It shows and changes the draft. */
  isOfDraft?: boolean;
}

const sections: Readonly<Record<string, Section>> = {
  general: { word: "General", content: GeneralSection, isOfDraft: true },
  parameters: { word: "Parameters", content: ParametersSection, isOfDraft: true },
  triggers: { word: "Triggers", content: TriggersSection, isOfDraft: true },
  options: { word: "Options", content: OptionsSection, isOfDraft: true },
  workspaces: { word: "Workspaces", content: WorkspacesSection, isOfDraft: true },
  tokens: { word: "Tokens", content: TokensSection },
  schedules: { word: "Schedules", content: SchedulesSection },
  changelog: { word: "Change log", content: ChangelogSection },
};

/** Everything of a workflow but its graph: a list of sections, and the one that the address names. */
export function ConfigurePage() {
  const team = useTeam();
  const workflow = useParam("workflow");
  const section = useParam("section");
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
  const { loaded, history, pendingText } = useDraft();
  const chosen = sections[section];
  if (chosen === undefined)
    return (
      <EmptyState title="This section doesn't exist">
        <Button variant="default" component={Link} to={paths.workflowConfigure(team, workflow)}>
          Go to the general section
        </Button>
      </EmptyState>
    );
  if (pendingText !== undefined && chosen.isOfDraft)
    return (
      <EmptyState title="The code has errors">
        <Button variant="default" component={Link} to={paths.workflow(team, workflow, "code")}>
          Fix the code first
        </Button>
      </EmptyState>
    );
  return (
    <Stack gap="md">
      <Title order={2}>{chosen.word}</Title>
      <chosen.content key={section} team={team} workflow={{ ...loaded.data, ...history.present }} />
    </Stack>
  );
}
