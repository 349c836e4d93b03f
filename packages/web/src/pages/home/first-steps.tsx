import { Anchor, Stack, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Overview } from "../../api/queries/overview.ts";
import { paths } from "../../paths.ts";
import { CopyField } from "../../ui/copy-field.tsx";
import classes from "./home.module.css";
import { submitCommand } from "./submit-command.ts";

/** The team that a new instance brings along. */
const sampleTeam = "getting-started";

interface FirstStepsProps {
  teams: Overview["teams"];
  runs: Overview["runs"];
  whyNoTeam: string | undefined;
  onCreate: () => void;
}

/** For who is new: what to do next, each step with the place or the command for it. */
export function FirstSteps({ teams, runs, whyNoTeam, onCreate }: FirstStepsProps) {
  const sample = teams.find(({ name }) => name === sampleTeam);
  const own = teams.find(({ name }) => name !== sampleTeam);
  return (
    <section aria-label="First steps" className={classes.steps}>
      <Title order={2} mb={8}>
        First steps
      </Title>
      <ol className={classes.stepList}>
        {sample && <SampleStep team={sample} hasRun={runs.some(({ teamName }) => teamName === sample.name)} />}
        <Step title={own ? `You are in the team ${own.displayName || own.name}` : "Create a team"}>
          {own ? (
            <>
              <Anchor component={Link} inherit to={paths.manage(own.name)}>
                Invite members
              </Anchor>
              . A team has its own workflows, parameters and tokens.
            </>
          ) : whyNoTeam === undefined ? (
            <>
              <Anchor component="button" onClick={onCreate} className={classes.inline}>
                Create one
              </Anchor>
              , or ask an owner to add you to theirs. A team has its own workflows, parameters and tokens.
            </>
          ) : (
            whyNoTeam
          )}
        </Step>
        {(own ?? sample) && <WorkflowStep team={(own ?? sample)?.name ?? ""} />}
        <Step title="Start a run from a script">
          <Stack gap={4} mt={4}>
            <Text size="sm">
              Everything here is the public API. An access token comes from your profile or from the team&apos;s tokens.
            </Text>
            <CopyField value={submitCommand(window.location.origin, sample ? sampleTeam : own?.name)} label="the command" />
          </Stack>
        </Step>
      </ol>
    </section>
  );
}

/** @param hasRun false where nothing could run the sample yet */
function SampleStep({ team, hasRun }: { team: Overview["teams"][number]; hasRun: boolean }) {
  return (
    <Step title={hasRun ? "See what has run" : "See the examples"}>
      The team{" "}
      <Anchor component={Link} inherit to={paths.workflows(team.name)}>
        {team.displayName || team.name}
      </Anchor>{" "}
      came with this instance: three workflows
      {hasRun && (
        <>
          , and{" "}
          <Anchor component={Link} inherit to={paths.activity(team.name)}>
            a run
          </Anchor>{" "}
          of the first
        </>
      )}
      .
    </Step>
  );
}

function WorkflowStep({ team }: { team: string }) {
  return (
    <Step title="Create a workflow">
      <Anchor component={Link} inherit to={paths.workflowCreate(team)}>
        From scratch, from a template, or by pasting YAML or JSON
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
