import { Stack } from "@mantine/core";
import type { FormErrors } from "@mantine/form";
import { ParameterField } from "./parameter-field.tsx";
import { defaultOf, faultsOf, type Param, type ParamValues } from "./parameter-values.ts";

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

interface ParamsOfFormProps extends Omit<ParameterFormProps, "errors"> {
  /** Of the whole form: those of parameters are at `params.NAME`. */
  errors: FormErrors;
  /** Takes away what was said of a field. */
  forget: (field: string) => void;
}

/** Parameters as the field `params` of a form. What is said of one holds no more when it is changed. */
export function ParamsOfForm({ params, values, errors, onChange, forget }: ParamsOfFormProps) {
  const told = params.flatMap(({ name }) => {
    const error = errors[`params.${name}`];
    return typeof error === "string" ? [[name, error]] : [];
  });
  const change = (next: ParamValues) => {
    onChange(next);
    for (const { name } of params) if (next[name] !== values[name]) forget(`params.${name}`);
  };
  return <ParameterForm params={params} values={values} onChange={change} errors={Object.fromEntries(told)} />;
}

/** What can be said of them before anything is sent, as errors of such a form. */
export function paramFaults(params: readonly Param[], values: ParamValues): Record<string, string> {
  return Object.fromEntries(Object.entries(faultsOf(params, values)).map(([name, fault]) => [`params.${name}`, fault]));
}
