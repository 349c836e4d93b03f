import { Button, Group, Loader, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconAlertTriangleFilled, IconCircleCheckFilled } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { type Changed, useRenew } from "../../hooks/use-renew.ts";
import { t } from "../../texts/run/activity.ts";
import { FormDialog } from "../../ui/dialog/form-dialog.tsx";
import classes from "./bulk-outcomes.module.css";
import { type BulkOutcome, type BulkThing, bulkSummary, workThrough } from "./bulk-work.ts";

interface BulkDialogProps {
  title: string;
  /** The verb with the number, e.g. `Cancel 3 runs`. */
  action: string;
  /** The label of the dismiss button, for actions that would be confused with "Cancel". */
  dismiss?: string;
  isDangerous?: boolean;
  /** Why it can't begin yet. */
  whyNot?: string | undefined;
  things: readonly BulkThing[];
  /** What will happen, and fields that apply to all objects. */
  children: ReactNode;
  /** Returns false if a field is missing or invalid: the field shows why, and nothing is started. */
  canBegin?: () => boolean;
  /** Performs the action on one object; resolves to a description of what happened. */
  onEach: (thing: BulkThing) => Promise<string>;
  /** The first words of the query keys to invalidate. */
  touches: readonly Changed[];
  team: string;
  /** @param done the ids of the objects that were not refused */
  onClose: (done: readonly string[]) => void;
}

/**
 * Asks for confirmation, performs the action on each of several objects, and shows each outcome: some may be refused while others succeed.
 * Mounted only while it is open.
 */
export function BulkDialog({
  title,
  action,
  dismiss = t("bulkDialog.cancel"),
  isDangerous = false,
  whyNot,
  things,
  children,
  canBegin = () => true,
  onEach,
  touches,
  team,
  onClose,
}: BulkDialogProps) {
  const [outcomes, setOutcomes] = useState<readonly BulkOutcome[]>();
  // Fields that apply to all objects are rendered and stored by the caller.
  const form = useForm({ initialValues: {} });
  const renew = useRenew();
  const isBusy = outcomes?.some(({ state }) => state === "waiting" || state === "working") ?? false;
  const begin = async () => {
    if (!canBegin()) return;
    setOutcomes(things.map(() => ({ state: "waiting" })));
    await workThrough(things, onEach, (at, outcome) => setOutcomes((all = []) => all.map((one, index) => (index === at ? outcome : one))));
    void renew([...touches, "overview"], team);
  };
  const close = () => onClose(things.filter((_, index) => outcomes?.[index]?.state === "done").map(({ id }) => id));
  const result = outcomes && (
    <Stack gap="sm">
      <Text role="status" fw={500}>
        {bulkSummary(outcomes)}
      </Text>
      <BulkOutcomes things={things} outcomes={outcomes} />
      <Group justify="flex-end">
        <Button variant="default" onClick={close} loading={isBusy}>
          {t("bulkDialog.close")}
        </Button>
      </Group>
    </Stack>
  );
  return (
    <FormDialog
      title={title}
      size="lg"
      form={form}
      action={action}
      isDangerous={isDangerous}
      whyNot={whyNot}
      labels={{ cancel: dismiss }}
      onSubmit={begin}
      onClose={close}
      staysOpen
      result={result}
    >
      {children}
      <BulkOutcomes things={things} outcomes={undefined} />
    </FormDialog>
  );
}

/** The objects, one per line, with their outcomes. @param outcomes undefined until the action has started */
function BulkOutcomes({ things, outcomes }: { things: readonly BulkThing[]; outcomes: readonly BulkOutcome[] | undefined }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keyboard
    <ul className={classes.list} tabIndex={0} aria-label={t("bulkDialog.resource")}>
      {things.map(({ id, name }, index) => (
        <li key={id} className={classes.line} data-state={outcomes?.[index]?.state}>
          <span>{name}</span>
          <Outcome outcome={outcomes?.[index]} />
        </li>
      ))}
    </ul>
  );
}

function Outcome({ outcome }: { outcome: BulkOutcome | undefined }) {
  switch (outcome?.state) {
    case "working":
      return <Loader size={14} aria-label={t("bulkDialog.working")} />;
    case "done":
      return (
        <span className={classes.done}>
          <IconCircleCheckFilled size={14} aria-hidden /> {outcome.message}
        </span>
      );
    case "refused":
      return (
        <span className={classes.refused}>
          <IconAlertTriangleFilled size={14} aria-hidden /> {outcome.message}
        </span>
      );
    default:
      return null;
  }
}
