import { Alert, Anchor, Group, Stack, Text } from "@mantine/core";
import type { components } from "@millrace/client/schema.generated.ts";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { messageOf } from "../../../api/api-error.ts";
import { paths } from "../../../paths.ts";
import { outcomeOf } from "../../../texts/language.ts";
import { t } from "../../../texts/workflow/triggers.ts";
import { CodeEditor } from "../../../ui/code/code-editor.tsx";
import { ActionButton } from "../../../ui/dialog/action-button.tsx";
import { StatusMark } from "../../../ui/mark/status-mark.tsx";

type Run = components["schemas"]["WorkflowRun"];
type Answer = Run | components["schemas"]["TriggeredRuns"] | components["schemas"]["ChatChallenge"];

interface TrialFormProps {
  team: string;
  label: string;
  text: string;
  onChange: (text: string) => void;
  onSend: (body: Record<string, unknown>) => void;
  answer: Answer | undefined;
  error: unknown;
  isBusy: boolean;
  whyNot: string | undefined;
  /** What is known about the request before it is sent. */
  children?: ReactNode;
}

/** Sends a real request and shows the response. */
export function TrialForm({ team, label, text, onChange, onSend, answer, error, isBusy, whyNot, children }: TrialFormProps) {
  const body = objectIn(text);
  return (
    <Stack gap="xs">
      <CodeEditor label={label} language="json" minHeight="80px" maxHeight="240px" value={text} onChange={onChange} />
      {children}
      <Group gap="sm">
        <ActionButton
          size="xs"
          variant="default"
          loading={isBusy}
          whyNot={whyNot ?? (body === undefined ? t("trial.notJsonObject") : undefined)}
          onClick={() => body && onSend(body)}
        >
          {t("trial.send")}
        </ActionButton>
        <Text size="sm" className="quiet">
          {t("trial.sendsRealRequestStarts")}
        </Text>
      </Group>
      {error !== null && error !== undefined && (
        <Alert color="red" variant="outline" role="alert" title={t("trial.noRunStarted")}>
          {messageOf(error)}
        </Alert>
      )}
      {answer !== undefined && <AnswerView team={team} answer={answer} />}
    </Stack>
  );
}

/** The JSON object in a text; undefined if the text contains none. */
export function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** The runs that were started, and what was rejected. */
export function AnswerView({ team, answer }: { team: string; answer: Answer }) {
  if ("challenge" in answer) return null;
  const runs = "runs" in answer ? answer.runs : [answer as Run];
  const refused = "refused" in answer ? answer.refused : [];
  return (
    <Stack gap={4} role="status">
      {runs.map(({ id, status, phase, waitKinds }) => (
        <Group key={id} gap="xs">
          <StatusMark status={status} phase={phase} waitKinds={waitKinds} />
          <Anchor component={Link} to={paths.run(team, id)}>
            {t("trial.startedRun")}
          </Anchor>
        </Group>
      ))}
      {refused.map(({ workflowName, message }) => (
        <Text key={workflowName}>
          {workflowName}: {outcomeOf(message)}
        </Text>
      ))}
      {runs.length + refused.length === 0 && <Text>{t("trial.acceptedButMatchesNo")}</Text>}
    </Stack>
  );
}
