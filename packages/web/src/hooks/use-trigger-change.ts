import { notifications } from "@mantine/notifications";
import { messageOf } from "../api/api-error.ts";
import { readWorkflow, type Workflow, writeWorkflow } from "../api/queries/workflow/workflows.ts";
import { t } from "../texts/shared.ts";
import { useApiMutation } from "./use-renew.ts";

interface TriggerChange {
  kind: keyof NonNullable<Workflow["triggers"]>;
  /** Its display name. */
  word: string;
  isOn: boolean;
}

/** Turns a trigger of a workflow on or off at once, without any other change of the workflow. */
export function useTriggerChange(team: string, workflow: string) {
  return useApiMutation({
    changes: ["workflows", "workflow", "schedules"],
    team,
    mutationFn: async ({ kind, isOn }: TriggerChange) => {
      const { data, etag } = await readWorkflow(team, workflow);
      const triggers = { ...data.triggers, [kind]: { ...data.triggers?.[kind], enabled: isOn } };
      return writeWorkflow(team, { ...data, triggers }, { replace: true, etag });
    },
    toast: (_, { word, isOn }) => t(isOn ? "triggerChange.on" : "triggerChange.off", { trigger: word }),
    onError: (error) =>
      notifications.show({ color: "red", title: t("triggerChange.couldntChange"), message: messageOf(error), autoClose: 10_000 }),
  });
}
