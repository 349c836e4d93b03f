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
  /** The verb with the number, such as `Cancel 3 runs`. */
  action: string;
  /** Of the button that does nothing, where "Cancel" would be taken for the action. */
  dismiss?: string;
  isDangerous?: boolean;
  things: readonly BulkThing[];
  /** What will happen, and fields that hold for all. */
  children: ReactNode;
  /** False: a field says what is missing, and nothing begins. */
  canBegin?: () => boolean;
  /** Answers what happened to that one. */
  onEach: (thing: BulkThing) => Promise<string>;
  /** First words of the query keys that it makes old. */
  touches: readonly Changed[];
  team: string;
  /** @param done ids of those that were not refused */
  onClose: (done: readonly string[]) => void;
}

/** Asks, does it to each of many, and tells the outcome of each: some may be refused while others are done. Mounted while it is open. */
export function BulkDialog({
  title,
  action,
  dismiss = t("bulkDialog.cancel"),
  isDangerous = false,
  things,
  children,
  canBegin = () => true,
  onEach,
  touches,
  team,
  onClose,
}: BulkDialogProps) {
  const [outcomes, setOutcomes] = useState<readonly BulkOutcome[]>();
  // Fields that hold for all are drawn, and kept, by who opens it.
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

/** The things, one a line, with the outcome of each. @param outcomes undefined until it begins */
function BulkOutcomes({ things, outcomes }: { things: readonly BulkThing[]; outcomes: readonly BulkOutcome[] | undefined }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and has to by keyboard, too
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
