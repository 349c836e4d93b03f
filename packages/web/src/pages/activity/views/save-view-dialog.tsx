import { Radio, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { changeRunView, createRunView, type RunView, type RunViewRequest } from "../../../api/queries/run/run-views.ts";
import { useRights } from "../../../hooks/use-caller.ts";
import { useApiMutation } from "../../../hooks/use-renew.ts";
import { t } from "../../../texts/run/views.ts";
import { FormDialog } from "../../../ui/dialog/form-dialog.tsx";
import { Notice } from "../../../ui/state/notice.tsx";

interface SaveViewDialogProps {
  team: string;
  /** The view to save; for an existing view, including its name. */
  view: Pick<RunViewRequest, "filter" | "order" | "sortBy" | "limit" | "columns"> &
    Partial<Pick<RunView, "name" | "scope" | "createdByName">>;
  /** The id of the view to rename; left out for a new view. */
  id?: string;
  onSaved: (view: RunView) => void;
  onClose: () => void;
}

/** Saves the current list under a name, for the viewer or for the team, or renames a saved view. Mounted only while it is open. */
export function SaveViewDialog({ team, view, id, onSaved, onClose }: SaveViewDialogProps) {
  const rights = useRights(team);
  const whyNotTeam = rights.whyNot("workflow/write");
  const form = useForm<Pick<RunView, "name" | "scope">>({
    initialValues: { name: view.name ?? "", scope: view.scope ?? "own" },
    validate: { name: (name) => (name.trim() === "" ? t("saveViewDialog.nameIt") : null) },
  });
  const isTaken = id !== undefined && view.scope === "team" && form.values.scope === "own";
  const { filter, order, sortBy, limit, columns } = view;
  const save = useApiMutation({
    changes: ["run-views"],
    team,
    toast: () => t("savedViews.saved"),
    mutationFn: ({ name, scope }: Pick<RunView, "name" | "scope">) => {
      const look = { ...(order && { order }), ...(sortBy && { sortBy }), ...(limit && { limit }), ...(columns && { columns }) };
      const body = { name: name.trim(), scope, filter, ...look };
      return id === undefined ? createRunView(team, body) : changeRunView(team, id, body);
    },
    onSuccess: onSaved,
  });
  return (
    <FormDialog
      title={id === undefined ? t("saveViewDialog.save") : t("saveViewDialog.rename")}
      form={form}
      action={isTaken ? t("saveViewDialog.makePrivate") : id === undefined ? t("saveViewDialog.saveView") : t("saveViewDialog.renameView")}
      isDangerous={isTaken}
      noValidate
      onSubmit={(values) => save.mutateAsync(values)}
      onClose={onClose}
    >
      <TextInput label={t("saveViewDialog.name")} maxLength={80} autoComplete="off" data-autofocus {...form.getInputProps("name")} />
      <Radio.Group label={t("saveViewDialog.visibleTo")} {...form.getInputProps("scope")}>
        <Stack gap="sm" mt="xs">
          <Radio value="own" label={t("saveViewDialog.own")} />
          <Radio
            value="team"
            label={t("saveViewDialog.team")}
            disabled={whyNotTeam !== undefined}
            description={whyNotTeam ?? t("saveViewDialog.teamHelp")}
          />
        </Stack>
      </Radio.Group>
      {isTaken && (
        <Notice title={t("saveViewDialog.takenTitle")}>
          <Text size="sm">
            {view.createdByName ? t("saveViewDialog.takenFrom", { name: view.createdByName }) : t("saveViewDialog.taken")}
          </Text>
        </Notice>
      )}
    </FormDialog>
  );
}
