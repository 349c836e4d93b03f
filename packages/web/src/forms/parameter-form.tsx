import { Stack } from "@mantine/core";
import type { FormErrors } from "@mantine/form";
import { ParameterField } from "./parameter-field.tsx";
import { defaultOf, faultsOf, type Param, type ParamValues } from "./parameter-values.ts";

export type { Param, ParamValues } from "./parameter-values.ts";

interface ParameterFormProps {
  params: readonly Param[];
  values: ParamValues;
  onChange: (values: ParamValues) => void;
  /** The service's errors by name of the parameter. */
  errors?: Readonly<Record<string, string>>;
}

/**
 * A form for declared parameters: one field for each, of the declared type. Used to start a run, to configure a node and to decide an
 * action. `toRunParams` (parameter-values.ts) converts its values for the service.
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
  /** The errors of the whole form; those of parameters are at `params.NAME`. */
  errors: FormErrors;
  /** Clears the error of a field. */
  forget: (field: string) => void;
}

/** Parameters as the field `params` of a form. Editing a parameter clears its error. */
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

/** Problems that can be found before anything is sent, as errors of such a form. */
export function paramFaults(params: readonly Param[], values: ParamValues): Record<string, string> {
  return Object.fromEntries(Object.entries(faultsOf(params, values)).map(([name, fault]) => [`params.${name}`, fault]));
}
