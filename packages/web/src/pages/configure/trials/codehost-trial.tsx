import { Stack, Text } from "@mantine/core";
import { useState } from "react";
import { t } from "../../../texts/triggers.ts";
import { CodeEditor } from "../../../ui/code/code-editor.tsx";
import { CodehostFields } from "../triggers/codehost-fields.tsx";
import type { Trigger } from "../triggers/trigger-draft.ts";
import { useCodehost } from "../triggers/use-codehost.ts";
import { codehostPayload, fitted, type SampleTarget, sampleTargetFor } from "./codehost-sample.ts";
import type { TrialProps } from "./manual-trial.tsx";
import { TestedStart } from "./tested-start.tsx";
import { objectIn } from "./trial.tsx";

/** An event of the codehost to try: chosen, then changed as one likes. */
export function CodehostTrial(props: TrialProps & { trigger: Trigger }) {
  const { installation, repositories, isKnown } = useCodehost(props.team);
  if (!isKnown) return null;
  return <SampleTrial {...props} installation={installation} repositories={repositories} />;
}

interface SampleTrialProps extends TrialProps {
  trigger: Trigger;
  /** 0: the team is linked to none. */
  installation: number;
  repositories: readonly string[];
}

function SampleTrial({ trigger, installation, repositories, ...trial }: SampleTrialProps) {
  // Until somebody chooses or types, both follow the conditions.
  const [chosen, setChosen] = useState<SampleTarget>();
  const [typed, setTyped] = useState<string>();
  const wish = chosen ?? sampleTargetFor(trigger.conditions ?? [], repositories[0] ?? "org/repository");
  const text = typed ?? JSON.stringify(codehostPayload(wish, installation), null, 2);
  const change = (part: Partial<SampleTarget>) => {
    setChosen(fitted({ ...wish, ...part }));
    setTyped(undefined);
  };
  const payload = objectIn(text);
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        {t("codehostTrial.testEvent")}
      </Text>
      <CodehostFields wish={wish} repositories={repositories} onChange={change} />
      <CodeEditor
        label={t("codehostTrial.payloadCodeHostsEvent")}
        language="json"
        minHeight="80px"
        maxHeight="240px"
        value={text}
        onChange={(next) => next !== text && setTyped(next)}
      />
      {payload === undefined || wish.event === "" ? (
        <Text size="sm" role="alert" c="var(--status-failed)">
          {payload === undefined ? t("codehostTrial.payloadNotJsonObject") : t("codehostTrial.enterNameEvent")}
        </Text>
      ) : (
        <TestedStart {...trial} trigger={trigger} tried={{ kind: "codehost", event: wish.event, payload }} />
      )}
    </Stack>
  );
}
