import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconMessage } from "@tabler/icons-react";
import { t } from "../../../texts/run.ts";
import { useRunView } from "../run-context.tsx";
import { RunComments } from "./run-comments.tsx";

/** How many comments the run has, and the way to them. */
export function CommentsButton() {
  const { run } = useRunView();
  const [isOpen, { open, close }] = useDisclosure(false);
  const count = run.commentCount ?? 0;
  return (
    <>
      <Button
        size="xs"
        variant="default"
        px="xs"
        aria-label={t("runComments.open", { count })}
        title={t("runComments.open", { count })}
        onClick={open}
      >
        <IconMessage size={16} aria-hidden />
        {count > 0 && <span style={{ marginLeft: 4 }}>{count}</span>}
      </Button>
      {isOpen && <RunComments onClose={close} />}
    </>
  );
}
