import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { ParameterForm, type ParamValues } from "../../forms/parameter-form.tsx";
import { t } from "../../texts/configure.ts";
import classes from "./configure.module.css";
import { ParameterEditor } from "./parameter-editor.tsx";
import { cleanParam, freshName, moved, type NumberedParam, numbered, paramsFault } from "./parameter-list.ts";
import { SaveBar } from "./save-bar.tsx";
import type { SectionProps } from "./section.ts";
import { useSectionDraft } from "./use-section-draft.ts";

/** What a run is asked for: the declarations at the left, the form that they make at the right. */
export function ParametersSection({ team }: SectionProps) {
  const section = useSectionDraft<{ list: NumberedParam[] }>({
    section: "parameters",
    members: ["params"],
    read: ({ params }) => ({ list: numbered(params ?? []) }),
    write: ({ list }) => (paramsFault(list) === undefined ? { params: list.map(({ param }) => cleanParam(param)) } : undefined),
  });
  const { value: draft, change, faultAt } = section;
  const [open, setOpen] = useState<number>();
  const fault = paramsFault(draft.list);
  const put = (list: NumberedParam[]) => change({ list });
  const add = () => {
    const number = Math.max(0, ...draft.list.map((param) => param.number)) + 1;
    put([...draft.list, { number, param: { name: freshName(draft.list), type: "text" } }]);
    setOpen(number);
  };
  return (
    <div className={classes.two}>
      <Stack gap="sm">
        {draft.list.length === 0 && <Text className="quiet">{t("parametersSection.workflowHasNoParameters")}</Text>}
        {draft.list.map((one, index) => (
          <ParameterEditor
            key={one.number}
            param={one.param}
            fault={faultAt(`/params/${index}`)}
            isOpen={open === one.number}
            onToggle={() => setOpen(open === one.number ? undefined : one.number)}
            onChange={(param) => put(draft.list.map((other) => (other === one ? { ...one, param } : other)))}
            onRemove={() => put(draft.list.filter((other) => other !== one))}
            onUp={index > 0 ? () => put(moved(draft.list, index, -1)) : undefined}
            onDown={index < draft.list.length - 1 ? () => put(moved(draft.list, index, 1)) : undefined}
          />
        ))}
        <Group>
          <Button variant="default" size="xs" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
            {t("parametersSection.addParameter")}
          </Button>
        </Group>
        <SaveBar team={team} section={section} fault={fault} />
      </Stack>
      <Preview list={draft.list} />
    </div>
  );
}

/** The form as it will be shown; what is typed into it goes nowhere. */
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
