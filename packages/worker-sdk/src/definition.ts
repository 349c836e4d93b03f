import type { ParamDefinition, ParamType, Task } from "./task.ts";

/** The document of a task, as Millrace saves it. JSON is also YAML, so it can be sent and stored as either. */
export function definitionOf(name: string, task: Task): Record<string, unknown> {
  const { description, params = {}, results = [] } = typeof task === "function" ? {} : task;
  const given = Object.entries(params).map(([param, given]) => ({ name: param, ...(typeof given === "string" ? { type: given } : given) }));
  const forms = given.map(formOf);
  return {
    apiVersion: "tekton.dev/v1",
    kind: "Task",
    metadata: {
      name,
      annotations: {
        "millrace.dev/type": "custom",
        "millrace.dev/executor": "external",
        ...(forms.length > 0 && { "millrace.dev/params": forms }),
      },
    },
    spec: {
      ...(description !== undefined && { description }),
      params: given.map(({ name, type, description, default: preset }) => ({
        ...{ name, type: kinds[type] },
        ...(description !== undefined && { description }),
        ...(preset !== undefined && type !== "secret" && { default: defaultOf(preset) }),
      })),
      results: results.map((name) => ({ name })),
    },
  };
}

const kinds: Record<ParamType, string> = {
  ...{ string: "string", number: "string", boolean: "string", secret: "string" },
  ...{ array: "array", object: "object" },
};
const formTypes: Record<ParamType, string> = {
  ...{ string: "text", number: "number", boolean: "boolean", secret: "password" },
  ...{ array: "multiselect", object: "json" },
};

function formOf({ name, type, optional, default: preset }: ParamDefinition & { name: string }) {
  return { name, type: formTypes[type], ...(optional !== true && preset === undefined && { required: true }) };
}

/** Documents can only have texts, lists of texts and maps of texts. */
function defaultOf(value: unknown): unknown {
  const asText = (item: unknown) => (typeof item === "string" ? item : JSON.stringify(item));
  if (Array.isArray(value)) return value.map(asText);
  if (typeof value !== "object" || value === null) return asText(value);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, asText(item)]));
}
