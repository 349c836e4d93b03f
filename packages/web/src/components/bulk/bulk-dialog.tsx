import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { type Changed, useRenew } from "../../hooks/use-renew.ts";
import { t } from "../../texts/activity.ts";
import { BulkOutcomes } from "./bulk-outcomes.tsx";
import type { BulkThing } from "./bulk-thing.ts";
import { type BulkOutcome, bulkSummary, workThrough } from "./bulk-work.ts";

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
  onEach,
  touches,
  team,
  onClose,
}: BulkDialogProps) {
  const [outcomes, setOutcomes] = useState<readonly BulkOutcome[]>();
  const renew = useRenew();
  const isOver = outcomes?.every(({ state }) => state === "done" || state === "refused") ?? false;
  const isBusy = outcomes !== undefined && !isOver;
  const begin = async () => {
    setOutcomes(things.map(() => ({ state: "waiting" })));
    await workThrough(things, onEach, (at, outcome) => setOutcomes((all = []) => all.map((one, index) => (index === at ? outcome : one))));
    void renew([...touches, "overview"], team);
  };
  const close = () => !isBusy && onClose(things.filter((_, index) => outcomes?.[index]?.state === "done").map(({ id }) => id));
  return (
    <Modal opened onClose={close} title={title} size="lg" centered closeButtonProps={{ "aria-label": t("bulkDialog.close") }}>
      <Stack gap="sm">
        {outcomes === undefined && children}
        {outcomes !== undefined && (
          <Text role="status" fw={500}>
            {bulkSummary(outcomes)}
          </Text>
        )}
        <BulkOutcomes things={things} outcomes={outcomes} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close} disabled={isBusy}>
            {outcomes === undefined ? dismiss : t("bulkDialog.close")}
          </Button>
          {!isOver && (
            <Button {...(isDangerous && { color: "red.8" })} loading={isBusy} onClick={() => void begin()}>
              {action}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
