import { Button, NavLink, Stack, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ComponentType } from "react";
import { useDraft } from "../../editor/draft/draft-context.ts";
import { useParam, useTeam } from "../../hooks/use-team.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/configure.ts";
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
  general: { word: t("configurePage.general"), content: GeneralSection, isOfDraft: true },
  parameters: { word: t("configurePage.parameters"), content: ParametersSection, isOfDraft: true },
  triggers: { word: t("configurePage.triggers"), content: TriggersSection, isOfDraft: true },
  options: { word: t("configurePage.options"), content: OptionsSection, isOfDraft: true },
  workspaces: { word: t("configurePage.workspaces"), content: WorkspacesSection, isOfDraft: true },
  tokens: { word: t("configurePage.tokens"), content: TokensSection },
  schedules: { word: t("configurePage.schedules"), content: SchedulesSection },
  changelog: { word: t("configurePage.changeLog"), content: ChangelogSection },
};

/** Everything of a workflow but its graph: a list of sections, and the one that the address names. */
export function ConfigurePage() {
  const team = useTeam();
  const workflow = useParam("workflow");
  const section = useParam("section");
  return (
    <div className={classes.page}>
      <nav className={classes.sections} aria-label={t("configurePage.sectionsConfiguration")}>
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
      <EmptyState title={t("configurePage.sectionDoesntExist")}>
        <Button variant="default" component={Link} to={paths.workflowConfigure(team, workflow)}>
          {t("configurePage.goGeneralSection")}
        </Button>
      </EmptyState>
    );
  if (pendingText !== undefined && chosen.isOfDraft)
    return (
      <EmptyState title={t("configurePage.codeHasErrors")}>
        <Button variant="default" component={Link} to={paths.workflow(team, workflow, "code")}>
          {t("configurePage.fixCodeFirst")}
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
