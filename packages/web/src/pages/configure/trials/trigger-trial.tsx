import { useMemo } from "react";
import type { TriggerKind } from "../../../components/trigger-look.ts";
import { type TriggerDraft, triggerOf } from "../triggers/trigger-draft.ts";
import { WebhookAccess } from "../triggers/webhook-access.tsx";
import { CodehostTrial } from "./codehost-trial.tsx";
import { EventTrial } from "./event-trial.tsx";
import { ManualTrial, type TrialProps } from "./manual-trial.tsx";
import { ScheduleTrial } from "./schedule-trial.tsx";
import { WorkflowTrial } from "./workflow-trial.tsx";

/** The way to try each kind of trigger. */
export function TriggerTrial({ kind, draft, ...trial }: TrialProps & { kind: TriggerKind; draft: TriggerDraft }) {
  const trigger = useMemo(() => triggerOf(kind, draft), [kind, draft]);
  switch (kind) {
    case "manual":
      return <ManualTrial {...trial} />;
    case "schedule":
      return <ScheduleTrial {...trial} />;
    case "webhook":
      return <WebhookAccess {...trial} trigger={trigger} />;
    case "event":
      return <EventTrial {...trial} trigger={trigger} />;
    case "codehost":
      return <CodehostTrial {...trial} trigger={trigger} />;
    case "workflow":
      return <WorkflowTrial {...trial} trigger={trigger} />;
  }
}
