import { Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { type NumberedParam, paramsFault } from "../../editor/declared/parameter-list.ts";
import { ParameterList, useParameterList } from "../../editor/declared/parameter-list-editor.tsx";
import { resultsFault } from "../../editor/declared/result-list.ts";
import { ResultList, useResultList } from "../../editor/declared/result-list-editor.tsx";
import type { SectionProps } from "../../editor/draft/use-section-draft.ts";
import { ParameterForm, type ParamValues } from "../../forms/parameter-form.tsx";
import { t } from "../../texts/workflow/configure.ts";
import classes from "./configure.module.css";
import { SaveBar } from "./save-bar.tsx";

/** The parameters of the workflow: the declarations at the left, the resulting form at the right. */
export function ParametersSection({ team }: SectionProps) {
  const section = useParameterList();
  const { list } = section.value;
  return (
    <div className={classes.two}>
      <Stack gap="sm">
        <ParameterList {...section} none={t("parametersSection.workflowHasNoParameters")} />
        <SaveBar team={team} section={section} fault={paramsFault(list)} />
      </Stack>
      <Preview list={list} />
    </div>
  );
}

/** A preview of the form; values typed into it are discarded. */
function Preview({ list }: { list: readonly NumberedParam[] }) {
  const [values, setValues] = useState<ParamValues>({});
  return (
    <section className={classes.preview} aria-label={t("parametersSection.formPreview")}>
      <Title order={3} mb="sm">
        {t("parametersSection.preview")}
      </Title>
      {list.length === 0 && <Text className="quiet">{t("parametersSection.runFormAppearsHere")}</Text>}
      <ParameterForm params={list.map(({ param }) => param)} values={values} onChange={setValues} />
    </section>
  );
}

/** The results that runs of the workflow return to those who start them. */
export function ResultsSection({ team }: SectionProps) {
  const { section, setters } = useResultList();
  return (
    <Stack gap="sm" maw={720}>
      <ResultList section={section} setters={setters} />
      <SaveBar team={team} section={section} fault={resultsFault(section.value.list)} />
    </Stack>
  );
}
