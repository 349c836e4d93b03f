import { ActionIcon, Button, Drawer, Stack, Text, Textarea, Tooltip } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDisclosure } from "@mantine/hooks";
import { IconMessage, IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { messageOf } from "../../../api/api-error.ts";
import { addComment, deleteComment, type RunComment, runCommentsQuery } from "../../../api/queries/run/run-comments.ts";
import { useCaller, useRights } from "../../../hooks/use-caller.ts";
import { useApiMutation } from "../../../hooks/use-renew.ts";
import { t } from "../../../texts/run/comments.ts";
import { ActionButton } from "../../../ui/dialog/action-button.tsx";
import { FormRefusal, useSubmission } from "../../../ui/form/use-submission.tsx";
import { QueryView } from "../../../ui/state/not-loaded.tsx";
import { TimeText } from "../../../ui/time/time-text.tsx";
import { useRunView } from "../run-context.tsx";
import classes from "./comments.module.css";

/** The number of comments on the run; opens them. */
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

/** The comments on the run, beside it. Mounted only while it is open. */
function RunComments({ onClose }: { onClose: () => void }) {
  const { team, run } = useRunView();
  const query = useQuery(runCommentsQuery(team, run.id));
  return (
    <Drawer opened onClose={onClose} position="right" size="md" title={t("runComments.title")}>
      <Stack gap="md">
        <QueryView query={query} label={t("runComments.loading")}>
          {(comments) => <Comments comments={comments} />}
        </QueryView>
        <NewComment />
      </Stack>
    </Drawer>
  );
}

const changes = ["run", "runs"] as const;

function Comments({ comments }: { comments: readonly RunComment[] }) {
  const { team, run } = useRunView();
  const remove = useApiMutation({ changes, team, mutationFn: (id: string) => deleteComment(team, run.id, id) });
  if (comments.length === 0) return <Text className="quiet">{t("runComments.none")}</Text>;
  return (
    <>
      <ul className={classes.list} aria-label={t("runComments.title")}>
        {comments.map((comment) => (
          <Comment key={comment.id} comment={comment} onDelete={() => remove.mutate(comment.id)} />
        ))}
      </ul>
      {remove.error && <Text role="alert">{messageOf(remove.error)}</Text>}
    </>
  );
}

function Comment({
  comment: { text, createdByName, createdByRef, creationDate },
  onDelete,
}: {
  comment: RunComment;
  onDelete: () => void;
}) {
  const { team } = useRunView();
  const caller = useCaller();
  // Owners may also delete comments of others.
  const isOwner = useRights(team).may("team/delete");
  const mayDelete = isOwner || caller.id.endsWith(`:${createdByRef}`);
  return (
    <li className={classes.comment}>
      <div className={classes.head}>
        <strong>{createdByName}</strong>
        <span className="quiet">
          <TimeText at={creationDate} />
        </span>
        {mayDelete && (
          <Tooltip label={t("runComments.delete")}>
            <ActionIcon
              className={classes.delete ?? ""}
              size="sm"
              variant="subtle"
              color="gray"
              aria-label={t("runComments.deleteOf", { name: createdByName })}
              onClick={onDelete}
            >
              <IconTrash size={14} />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
      <p className={classes.text}>{text}</p>
    </li>
  );
}

function NewComment() {
  const { team, run } = useRunView();
  const rights = useRights(team);
  const form = useForm({ initialValues: { text: "" } });
  const add = useApiMutation({ changes, team, mutationFn: (text: string) => addComment(team, run.id, text) });
  const { submit, isPending, refusal } = useSubmission({
    form,
    onSubmit: ({ text }) => add.mutateAsync(text.trim()),
    onDone: form.reset,
  });
  const isEmpty = form.values.text.trim() === "";
  const whyNot = rights.whyNot("workflowrun/action") ?? (isEmpty ? t("runComments.writeFirst") : undefined);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (whyNot === undefined) submit(event);
      }}
    >
      <Stack gap="xs" align="flex-start">
        <Textarea
          w="100%"
          label={t("runComments.comment")}
          autosize
          minRows={3}
          maxRows={12}
          maxLength={4_000}
          data-autofocus
          {...form.getInputProps("text")}
        />
        <FormRefusal message={refusal} />
        <ActionButton type="submit" size="xs" whyNot={whyNot} loading={isPending}>
          {t("runComments.add")}
        </ActionButton>
      </Stack>
    </form>
  );
}
