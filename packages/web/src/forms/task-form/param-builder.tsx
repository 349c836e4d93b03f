import { Button, Stack, Text, Title } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { t } from "../../texts/task/task-form.ts";
import { type Param, ParameterForm, type ParamValues } from "../parameter-form.tsx";
import classes from "./list-item.module.css";
import { ListItem } from "./list-item.tsx";
import { ParamFields } from "./param-fields.tsx";
import { faultAt, type TaskPartProps } from "./task-draft.ts";
import { addParam, moveParam, removeParam, setParam } from "./task-params.ts";

/** The parameters of the task, and below them a working preview of the form that people will see. */
export function ParamBuilder({ draft, edit, faults, isReadOnly }: TaskPartProps) {
  const { params } = draft;
  return (
    <Stack gap="sm">
      {params.length === 0 && <Text className="quiet">{t("paramBuilder.valuesPeopleWorkflowsPass")}</Text>}
      {params.map((param, index) => (
        <ListItem
          // biome-ignore lint/suspicious/noArrayIndexKey: nothing else stays the same while the name is typed
          key={index}
          title={t("paramBuilder.parameter", { index: String(index + 1), name: param.name })}
          index={index}
          count={params.length}
          isReadOnly={isReadOnly}
          onMove={(to) => edit((text) => moveParam(text, index, to))}
          onRemove={() => edit((text) => removeParam(text, index))}
        >
          <ParamFields
            param={param}
            error={faultAt(faults, "spec", "params", index)}
            isReadOnly={isReadOnly}
            onChange={(member, value) => edit((text) => setParam(text, index, member, value))}
          />
        </ListItem>
      ))}
      {!isReadOnly && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} />}
          style={{ alignSelf: "flex-start" }}
          onClick={() => edit((text) => addParam(text, freeName(params)))}
        >
          {t("paramBuilder.addParameter")}
        </Button>
      )}
      {params.length > 0 && <Preview params={params} />}
    </Stack>
  );
}

function freeName(params: readonly Param[]): string {
  const taken = new Set(params.map(({ name }) => name));
  for (let number = params.length + 1; ; number++) if (!taken.has(`param${number}`)) return `param${number}`;
}

function Preview({ params }: { params: readonly Param[] }) {
  const [values, setValues] = useState<ParamValues>({});
  return (
    <section aria-label={t("paramBuilder.formPreview")} className={classes.preview}>
      <Title order={2} mb="xs">
        {t("paramBuilder.preview")}
      </Title>
      <ParameterForm params={params} values={values} onChange={setValues} />
    </section>
  );
}
