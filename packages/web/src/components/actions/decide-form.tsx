import { Group, Text, Textarea } from "@mantine/core";
import { ApiError } from "@millrace/client/api-error.ts";
import { lazy, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { messageOf } from "../../api/api-error.ts";
import { type Action, castVote, touchedByVotes } from "../../api/queries/actions.ts";
import { faultsOf, type ParamValues, toRunParams } from "../../forms/parameter-values.ts";
import { useApiMutation } from "../../hooks/use-renew.ts";
import { t } from "../../texts/actions.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import classes from "./decide-form.module.css";
import { actionWords, useVoter } from "./vote-rule.ts";

/** Loaded on demand, since most actions have no fields. */
const ParameterForm = lazy(async () => ({ default: (await import("../../forms/parameter-form.tsx")).ParameterForm }));

interface DecideFormProps {
  team: string;
  action: Action;
  /** Who started the run; undefined until it is known. */
  requester: string | undefined;
}

/**
 * The form for a vote: the fields of the action, a comment, and the two buttons, which stay in view on phones. The fields are required only
 * for an approval. Users who can't vote see the fields and the reason. The buttons come with the fields, and what is around the form comes with
 * it, by the `Suspense` of its place: otherwise they would move when the fields are loaded, and a click could be lost.
 */
export function DecideForm({ team, action, requester }: DecideFormProps) {
  const entry = useEntry(action);
  const [comments, setComments] = useState("");
  const vote = useApiMutation({
    changes: [...touchedByVotes, "overview"],
    team,
    // Someone else may have decided first, or the run may have advanced.
    evenRefused: true,
    mutationFn: (approved: boolean) => castVote(team, { id: action.id, approved, comments, values: entry.sent(approved) }),
    onError: (error) => entry.refuse(error),
    onSuccess: () => setComments(""),
  });
  const whyNot = useVoter(team).whyNot(action, requester);
  const element = useRef<HTMLDivElement>(null);
  const decide = (approved: boolean) => {
    let isReady = true;
    // Renders synchronously, so that the first invalid field can be focused: it may be far from the buttons.
    if (approved) flushSync(() => (isReady = entry.isComplete()));
    if (isReady) return vote.mutate(approved);
    element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  };
  const { yes, no } = actionWords[action.type];
  return (
    <div ref={element} className={classes.form}>
      <ActionFields
        fields={action.fields}
        values={entry.values}
        errors={entry.errors}
        onChange={entry.change}
        isDisabled={whyNot !== undefined}
      />
      {whyNot === undefined ? (
        <Textarea
          label={t("decidePanel.comment")}
          description={t(action.type === "publish" ? "decidePanel.commentHelpPublish" : "decidePanel.commentHelp")}
          autosize
          minRows={2}
          maxRows={6}
          maxLength={10_000}
          value={comments}
          onChange={(event) => setComments(event.currentTarget.value)}
        />
      ) : (
        <Text size="sm">{whyNot}</Text>
      )}
      <div className={classes.bar}>
        {vote.error !== null && Object.keys(entry.errors).length === 0 && (
          <Text role="alert" size="sm" c="var(--status-failed)">
            {messageOf(vote.error)}
          </Text>
        )}
        <Group gap="xs">
          <ActionButton whyNot={whyNot} loading={vote.isPending && vote.variables} onClick={() => decide(true)}>
            {yes}
          </ActionButton>
          <ActionButton variant="default" whyNot={whyNot} loading={vote.isPending && !vote.variables} onClick={() => decide(false)}>
            {no}
          </ActionButton>
        </Group>
      </div>
    </div>
  );
}

/** The values typed into the fields of an action, and their errors. */
export function useEntry({ fields }: Pick<Action, "fields">) {
  const [values, setValues] = useState<ParamValues>({});
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  return {
    values,
    errors,
    /** Editing a field clears its error. */
    change: (next: ParamValues) => {
      setErrors((old) => Object.fromEntries(Object.entries(old).filter(([name]) => next[name] === values[name])));
      setValues(next);
    },
    /** Returns false if a value is missing or invalid; the fields then show why. */
    isComplete: () => {
      const faults = faultsOf(fields, values);
      setErrors(faults);
      return Object.keys(faults).length === 0;
    },
    /** A rejection needs no values. */
    sent: (approved: boolean) => (approved ? Object.fromEntries(toRunParams(fields, values).map(({ name, value }) => [name, value])) : {}),
    refuse: (error: unknown) => setErrors(faultsOfRefusal(error)),
  };
}

/** The service names fields by the path `INDEX/values/NAME`. */
function faultsOfRefusal(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {};
  return Object.fromEntries(
    error.errors.flatMap(({ path, message }) => {
      const name = /^\d+\/values\/(.+)$/.exec(path)?.[1];
      return name === undefined ? [] : [[name, message]];
    }),
  );
}

interface ActionFieldsProps {
  fields: Action["fields"];
  values: ParamValues;
  errors: Readonly<Record<string, string>>;
  onChange: (values: ParamValues) => void;
  isDisabled?: boolean;
}

/** Loads on demand: the `Suspense` around it says what is shown until then. */
export function ActionFields({ fields, isDisabled = false, ...form }: ActionFieldsProps) {
  if (fields.length === 0) return null;
  return <ParameterForm params={isDisabled ? fields.map((field) => ({ ...field, disabled: true })) : fields} {...form} />;
}
