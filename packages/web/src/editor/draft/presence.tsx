import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { endEditing, sayEditing, type WorkflowEditing } from "../../api/queries/workflow/trials.ts";
import { listText } from "../../texts/language.ts";
import { t } from "../../texts/workflow/trial.ts";
import { Tag } from "../../ui/mark/state-mark.tsx";
import { useDraft } from "./draft-context.ts";

/** The interval of the reports; the service forgets a window after thirty seconds. */
const repeatMs = 10_000;

/** The service notifies every window of a change, including the one that made it, which already has the response. */
const echoMs = 1_500;

/** Shows who else is editing the workflow, and reports this window as an editor while it can edit. */
export function Presence() {
  const { team, workflow, isDirty, whyNotEdit } = useDraft();
  const session = useMemo(() => crypto.randomUUID(), []);
  const isOn = whyNotEdit === undefined;
  const said = useRef<{ answer: WorkflowEditing; isDirty: boolean; atMs: number }>(undefined);
  const { data } = useQuery({
    queryKey: ["editing", team, workflow, session, isDirty],
    queryFn: async () => {
      const { current: last } = said;
      if (last !== undefined && last.isDirty === isDirty && Date.now() - last.atMs < echoMs) return last.answer;
      const answer = await sayEditing(team, workflow, { session, unsaved: isDirty });
      said.current = { answer, isDirty, atMs: Date.now() };
      return answer;
    },
    enabled: isOn,
    refetchInterval: repeatMs,
    placeholderData: (before: WorkflowEditing | undefined) => before,
    retry: false,
  });
  useEffect(() => {
    if (!isOn) return;
    const leave = () => void endEditing(team, workflow, session).catch(() => {});
    window.addEventListener("pagehide", leave);
    return () => {
      window.removeEventListener("pagehide", leave);
      leave();
    };
  }, [isOn, team, workflow, session]);
  return <EditorNames editors={data?.editors ?? []} />;
}

/** "Bob is editing"; a person with several windows is named once. */
export function EditorNames({ editors }: Pick<WorkflowEditing, "editors">) {
  const others = editors.filter(({ you }) => !you);
  const names = [...new Set(others.map(({ name }) => name))];
  const [name] = names;
  if (editors.length === 0) return null;
  const isUnsaved = others.some(({ unsaved }) => unsaved);
  const words =
    name === undefined
      ? t("presence.you")
      : names.length > 1
        ? t("presence.several", { names: listText(names) })
        : t(isUnsaved ? "presence.unsaved" : "presence.saved", { name });
  return (
    <span role="status">
      <Tag>{words}</Tag>
    </span>
  );
}
