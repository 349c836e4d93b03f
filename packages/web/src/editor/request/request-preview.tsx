import { Button, Group, Text, Title } from "@mantine/core";
import { useState } from "react";
import { ActionRequest } from "../../components/actions/action-request.tsx";
import { actionWords } from "../../components/actions/vote-rule.ts";
import { ParameterForm } from "../../forms/parameter-form.tsx";
import type { ParamValues } from "../../forms/parameter-values.ts";
import { textOf } from "../../forms/parameter-values.ts";
import { t } from "../../texts/workflow/request.ts";
import type { DraftTask } from "../draft/draft.ts";
import { type NodePreview, usePreview } from "../node/preview-context.ts";
import classes from "./request.module.css";
import { paramsOf, type Row, rowsOf } from "./request-rows.ts";

/** The request as people will see it, with the current values of references. Input is discarded. */
export function RequestPreview({ task, type }: { task: DraftTask; type: "approval" | "manual" }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div>
      <Button size="compact-sm" variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {t(isOpen ? "requestPreview.hide" : "requestPreview.show")}
      </Button>
      {isOpen && <Request task={task} type={type} />}
    </div>
  );
}

function Request({ task, type }: { task: DraftTask; type: "approval" | "manual" }) {
  const preview = usePreview();
  const [values, setValues] = useState<ParamValues>({});
  const param = (name: string) => (task.params ?? []).find((one) => one.name === name)?.value;
  const rows = (name: string) => (rowsOf(param(name)) ?? []).map((row, index) => given(preview, row, `${name}/${index}`));
  const text = (name: string) => textNow(preview, name, textOf(param(name)));
  const links = rows("links").flatMap((row) => {
    const url = textOf(row["url"]);
    // Links with another scheme are refused when the action opens.
    return /^(https?|mailto):/i.test(url) ? [{ label: textOf(row["label"]) || url, url }] : [];
  });
  const attachments = rows("attachments").map((row) => ({
    label: textOf(row["label"]) || textOf(row["log"]),
    ...(row["log"] === undefined ? { text: textOf(row["text"]) } : { taskName: textOf(row["log"]), taskRunRef: null }),
  }));
  const { yes, no } = actionWords[type];
  return (
    <section className={classes.preview} aria-label={t("requestPreview.title")}>
      <Title order={3}>{text("title") || task.name}</Title>
      <ActionRequest team="" action={{ instructions: text("instructions"), links, attachments, workflowRunRef: "" }} />
      <ParameterForm params={paramsOf(rows("fields"))} values={values} onChange={setValues} />
      <Group gap="xs">
        <Button size="xs" disabled>
          {yes}
        </Button>
        <Button size="xs" variant="default" disabled>
          {no}
        </Button>
      </Group>
      <Text size="xs" className="quiet">
        {t("requestPreview.note")}
      </Text>
    </section>
  );
}

/** Unchanged if its value isn't known yet. */
function textNow({ given: find }: NodePreview, place: string, text: string): string {
  const found = find(place, text);
  return found?.value === undefined || (found.missing?.length ?? 0) > 0 ? text : found.value;
}

function given(preview: NodePreview, row: Row, place: string): Row {
  const entries = Object.entries(row).map(([member, value]) => [
    member,
    typeof value === "string" ? textNow(preview, `${place}/${member}`, value) : value,
  ]);
  return Object.fromEntries(entries);
}
