import { Autocomplete, Select, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { installationQuery, integrationsQuery } from "../../../api/queries/integrations.ts";
import { t } from "../../../texts/workflow/triggers.ts";
import { CodeEditor } from "../../../ui/code/code-editor.tsx";
import type { Trigger } from "../triggers/trigger-draft.ts";
import { codehostEvents, codehostPayload, fitted, type SampleTarget, sampleTargetFor } from "./codehost-sample.ts";
import type { TrialProps } from "./manual-trial.tsx";
import { TestedStart } from "./tested-start.tsx";
import { objectIn } from "./trial.tsx";
import classes from "./trials.module.css";

/** A test event of the codehost: selected from a list, then edited freely. */
export function CodehostTrial(props: TrialProps & { trigger: Trigger }) {
  const { installation, repositories, isKnown } = useCodehost(props.team);
  if (!isKnown) return null;
  return <SampleTrial {...props} installation={installation} repositories={repositories} />;
}

interface SampleTrialProps extends TrialProps {
  trigger: Trigger;
  /** 0: the team isn't linked to an installation. */
  installation: number;
  repositories: readonly string[];
}

function SampleTrial({ trigger, installation, repositories, ...trial }: SampleTrialProps) {
  // Until the user selects or types something, both follow the conditions.
  const [chosen, setChosen] = useState<SampleTarget>();
  const [typed, setTyped] = useState<string>();
  const target = chosen ?? sampleTargetFor(trigger.conditions ?? [], repositories[0] ?? "org/repository");
  const text = typed ?? JSON.stringify(codehostPayload(target, installation), null, 2);
  const change = (part: Partial<SampleTarget>) => {
    setChosen(fitted({ ...target, ...part }));
    setTyped(undefined);
  };
  const payload = objectIn(text);
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        {t("codehostTrial.testEvent")}
      </Text>
      <CodehostFields target={target} repositories={repositories} onChange={change} />
      <CodeEditor
        label={t("codehostTrial.payloadCodeHostsEvent")}
        language="json"
        minHeight="80px"
        maxHeight="240px"
        value={text}
        onChange={(next) => next !== text && setTyped(next)}
      />
      {payload === undefined || target.event === "" ? (
        <Text size="sm" role="alert" c="var(--status-failed)">
          {payload === undefined ? t("codehostTrial.payloadNotJsonObject") : t("codehostTrial.enterNameEvent")}
        </Text>
      ) : (
        <TestedStart {...trial} trigger={trigger} tried={{ kind: "codehost", event: target.event, payload }} />
      )}
    </Stack>
  );
}

interface CodehostFieldsProps {
  target: SampleTarget;
  repositories: readonly string[];
  onChange: (part: Partial<SampleTarget>) => void;
}

/** What the event is about; each change writes the payload anew. */
function CodehostFields({ target, repositories, onChange }: CodehostFieldsProps) {
  const { actions, refKinds } = codehostEvents[target.event] ?? { actions: [], refKinds: [] };
  return (
    <div className={classes.fields}>
      <Autocomplete
        label={t("codehostTrial.event")}
        size="xs"
        data={Object.keys(codehostEvents)}
        value={target.event}
        onChange={(event) => onChange({ event })}
      />
      {actions.length > 0 && (
        <Select
          label={t("codehostTrial.action")}
          size="xs"
          data={[...actions]}
          value={target.action}
          allowDeselect={false}
          onChange={(action) => action && onChange({ action })}
        />
      )}
      <Autocomplete
        label={t("codehostTrial.repository")}
        size="xs"
        data={[...repositories]}
        value={target.repository}
        onChange={(repository) => onChange({ repository })}
      />
      {refKinds.length > 1 && (
        <Select
          label={t("codehostTrial.resource")}
          size="xs"
          data={[...refKinds]}
          value={target.refKind}
          allowDeselect={false}
          onChange={(refKind) => refKind && onChange({ refKind: refKind as SampleTarget["refKind"] })}
        />
      )}
      {refKinds.length > 0 && (
        <TextInput
          label={target.refKind === "tag" ? t("codehostTrial.tag") : t("codehostTrial.branch")}
          size="xs"
          value={target.ref}
          onChange={(event) => onChange({ ref: event.currentTarget.value })}
        />
      )}
    </div>
  );
}

/** The repositories of the codehost that the team is linked to. A user who may not list them can type names instead. */
function useCodehost(team: string) {
  const integrations = useQuery({ ...integrationsQuery(team), retry: false });
  const isLinked = integrations.data?.some(({ id, status }) => id === "codehost_app" && status === "linked") === true;
  const installation = useQuery({ ...installationQuery(team), enabled: isLinked });
  const owner = installation.data?.orgSlug;
  return {
    installation: installation.data?.installationId ?? 0,
    repositories: (installation.data?.repositories ?? []).map((name) => (name.includes("/") || !owner ? name : `${owner}/${name}`)),
    isKnown: !integrations.isPending && !(isLinked && installation.isPending),
  };
}
