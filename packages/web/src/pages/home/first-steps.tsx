import { Anchor, Stack, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Overview } from "../../api/queries/settings.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/home.ts";
import { CopyField } from "../../ui/copy-field.tsx";
import classes from "./home.module.css";

/** The team that exists in a new instance. */
const sampleTeam = "getting-started";

interface FirstStepsProps {
  teams: Overview["teams"];
  runs: Overview["runs"];
  whyNoTeam: string | undefined;
  onCreate: () => void;
}

/** The next steps for new users, each with a link or a command. */
export function FirstSteps({ teams, runs, whyNoTeam, onCreate }: FirstStepsProps) {
  const sample = teams.find(({ name }) => name === sampleTeam);
  const own = teams.find(({ name }) => name !== sampleTeam);
  return (
    <section aria-label={t("firstSteps.firstSteps")} className={classes.steps}>
      <Title order={2} mb={8}>
        {t("firstSteps.firstSteps")}
      </Title>
      <ol className={classes.stepList}>
        {sample && <SampleStep team={sample} hasRun={runs.some(({ teamName }) => teamName === sample.name)} />}
        <Step title={own ? t("firstSteps.team", { displayName: own.displayName || own.name }) : t("firstSteps.createTeam")}>
          {own
            ? t.rich("firstSteps.inviteMembersTeamHas", {
                link: (chunks) => (
                  <Anchor component={Link} inherit to={paths.manage(own.name)}>
                    {chunks}
                  </Anchor>
                ),
              })
            : whyNoTeam === undefined
              ? t.rich("firstSteps.createAskOwnerAdd", {
                  link: (chunks) => (
                    <Anchor component="button" onClick={onCreate} className={classes.inline}>
                      {chunks}
                    </Anchor>
                  ),
                })
              : whyNoTeam}
        </Step>
        {(own ?? sample) && <WorkflowStep team={(own ?? sample)?.name ?? ""} />}
        <Step title={t("firstSteps.startRunScript")}>
          <Stack gap={4} mt={4}>
            <Text size="sm">{t("firstSteps.everythingHerePublicApi")}</Text>
            <CopyField value={submitCommand(window.location.origin, sample ? sampleTeam : own?.name)} label={t("firstSteps.command")} />
          </Stack>
        </Step>
      </ol>
    </section>
  );
}

/** @param hasRun false if nothing could run the sample yet */
function SampleStep({ team, hasRun }: { team: Overview["teams"][number]; hasRun: boolean }) {
  return (
    <Step title={hasRun ? t("firstSteps.seeWhatHasRun") : t("firstSteps.seeExamples")}>
      {t.rich(hasRun ? "firstSteps.sampleTeamWithRun" : "firstSteps.sampleTeam", {
        team: () => (
          <Anchor component={Link} inherit to={paths.workflows(team.name)}>
            {team.displayName || team.name}
          </Anchor>
        ),
        run: (chunks) => (
          <Anchor component={Link} inherit to={paths.activity(team.name)}>
            {chunks}
          </Anchor>
        ),
      })}
    </Step>
  );
}

function WorkflowStep({ team }: { team: string }) {
  return (
    <Step title={t("firstSteps.createWorkflow")}>
      <Anchor component={Link} inherit to={paths.workflowCreate(team)}>
        {t("firstSteps.scratchTemplatePastingYaml")}
      </Anchor>
      .
    </Step>
  );
}

function Step({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li>
      <Text fw={500}>{title}</Text>
      <Text component="div" size="sm">
        {children}
      </Text>
    </li>
  );
}

/** The API command that starts a run of the sample, or of a workflow that the user fills in. */
function submitCommand(origin: string, team: string | undefined): string {
  const isSample = team === "getting-started";
  const workflow = isSample ? "hello-chain" : "WORKFLOW";
  const body = isSample ? '{"params": [{"name": "name", "value": "everybody in the mill"}]}' : "{}";
  return [
    "curl -sS -H \"Authorization: Bearer $TOKEN\" -H 'Content-Type: application/json' \\",
    `  "${origin}/api/v2/team/${team ?? "TEAM"}/workflow/${workflow}/submit?start=true" \\`,
    `  -d '${body}'`,
  ].join("\n");
}
