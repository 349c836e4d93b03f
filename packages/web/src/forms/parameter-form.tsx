import { Stack } from "@mantine/core";
import { ParameterField } from "./parameter-field.tsx";
import { defaultOf, type Param, type ParamValues } from "./parameter-values.ts";

export type { Param, ParamValues } from "./parameter-values.ts";

interface ParameterFormProps {
  params: readonly Param[];
  values: ParamValues;
  onChange: (values: ParamValues) => void;
  /** By the name of the parameter, in the words of the service. */
  errors?: Readonly<Record<string, string>>;
}

/**
 * A form from declared parameters: one field each, of the kind that the declaration names. Used where a run is started, a node is
 * set up, an action decided. `toRunParams` (parameter-values.ts) makes of its values what the service takes.
 */
export function ParameterForm({ params, values, onChange, errors = {} }: ParameterFormProps) {
  return (
    <Stack gap="sm">
      {params.map((param) => (
        <ParameterField
          key={param.name}
          param={param}
          value={values[param.name] === undefined ? defaultOf(param) : values[param.name]}
          error={errors[param.name]}
          onChange={(value) => onChange({ ...values, [param.name]: value })}
        />
      ))}
    </Stack>
  );
}
