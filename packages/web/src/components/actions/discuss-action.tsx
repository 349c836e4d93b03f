import { Group, SegmentedControl, Select, Text, Textarea } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Action, commentOnAction, delegateAction, touchedByVotes } from "../../api/queries/actions.ts";
import { teamQuery } from "../../api/queries/identity/session.ts";
import { membersQuery } from "../../api/queries/members.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useRenew } from "../../hooks/use-renew.ts";
import { t } from "../../texts/actions.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { FormDialog } from "../../ui/dialog/form-dialog.tsx";

interface DiscussActionProps {
  team: string;
  action: Action;
  /** Why the caller can't vote. In that case there is nothing to delegate either. */
  whyNot: string | undefined;
}

/** Alternatives to deciding: ask a question, or delegate the vote. Who can't decide does not ask, but may comment, as an answer. */
export function DiscussAction({ team, action, whyNot }: DiscussActionProps) {
  const [dialog, setDialog] = useState<"comment" | "delegate">();
  const close = () => setDialog(undefined);
  const mayAsk = useRights(team).may("action/action") || whyNot === undefined;
  const title = mayAsk && whyNot !== undefined ? t("discussAction.comment") : t("discussAction.askBack");
  return (
    <Group gap="xs">
      <ActionButton
        variant="default"
        size="xs"
        whyNot={mayAsk ? undefined : t("discussAction.whyNotAsk")}
        onClick={() => setDialog("comment")}
      >
        {title}
      </ActionButton>
      <ActionButton variant="default" size="xs" whyNot={whyNot} onClick={() => setDialog("delegate")}>
        {t("discussAction.delegate")}
      </ActionButton>
      {dialog === "comment" && <CommentDialog title={title} team={team} action={action} onClose={close} />}
      {dialog === "delegate" && <DelegateDialog team={team} action={action} onClose={close} />}
    </Group>
  );
}

interface DiscussDialogProps {
  team: string;
  action: Action;
  onClose: () => void;
}

export function CommentDialog({ title, team, action, onClose }: DiscussDialogProps & { title: string }) {
  const renew = useRenew();
  const form = useForm({
    initialValues: { comments: "" },
    validate: { comments: (text) => (text.trim() === "" ? t("discussAction.enterComment") : null) },
  });
  return (
    <FormDialog
      title={title}
      form={form}
      action={t("discussAction.sendComment")}
      noValidate
      onSubmit={async ({ comments }) => {
        await commentOnAction(team, action.id, comments.trim());
        await renew([...touchedByVotes], team);
      }}
      onClose={onClose}
    >
      <Text size="sm">{t("discussAction.commentHelp")}</Text>
      <Textarea
        label={t("decidePanel.comment")}
        required
        data-autofocus
        autosize
        minRows={3}
        maxLength={10_000}
        {...form.getInputProps("comments")}
      />
    </FormDialog>
  );
}

export function DelegateDialog({ team, action, onClose }: DiscussDialogProps) {
  const renew = useRenew();
  const { data } = useQuery(teamQuery(team));
  const [search, setSearch] = useState("");
  const { data: members } = useQuery(membersQuery(team, { search, limit: 20 }));
  const groups = (data?.approverGroups ?? []).filter(({ id }) => id !== action.approverGroupRef);
  const form = useForm({
    initialValues: { to: "user" as "user" | "group", user: "", group: "", comments: "" },
    validate: {
      user: (user, { to }) => (to === "user" && user === "" ? t("discussAction.choosePerson") : null),
      group: (group, { to }) => (to === "group" && group === "" ? t("discussAction.chooseGroup") : null),
    },
  });
  const mayBeGroup = groups.length > 0 && action.approvalsRequired === 1;
  return (
    <FormDialog
      title={t("discussAction.delegateTitle")}
      form={form}
      action={t("discussAction.delegateVote")}
      noValidate
      onSubmit={async ({ to, user, group, comments }) => {
        await delegateAction(team, action.id, { ...(to === "user" ? { user } : { group }), ...(comments.trim() !== "" && { comments }) });
        await renew([...touchedByVotes, "overview"], team);
      }}
      onClose={onClose}
    >
      <Text size="sm">{t("discussAction.delegateHelp")}</Text>
      {mayBeGroup && (
        <SegmentedControl
          aria-label={t("discussAction.to")}
          size="xs"
          data={[
            { value: "user", label: t("discussAction.toPerson") },
            { value: "group", label: t("discussAction.toGroup") },
          ]}
          {...form.getInputProps("to")}
        />
      )}
      {form.values.to === "user" ? (
        <Select
          label={t("discussAction.person")}
          required
          searchable
          searchValue={search}
          onSearchChange={setSearch}
          filter={({ options }) => options}
          data={(members?.content ?? []).map(({ id, name, email }) => ({
            value: id ?? email ?? "",
            label: name ? `${name} (${email})` : (email ?? ""),
          }))}
          {...form.getInputProps("user")}
        />
      ) : (
        <Select
          label={t("discussAction.group")}
          required
          data={groups.map(({ id, name }) => ({ value: id, label: name }))}
          {...form.getInputProps("group")}
        />
      )}
      <Textarea label={t("decidePanel.comment")} autosize minRows={2} maxLength={10_000} {...form.getInputProps("comments")} />
    </FormDialog>
  );
}
