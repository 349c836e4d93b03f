import { Checkbox, Radio, SimpleGrid, TextInput } from "@mantine/core";
import { useState } from "react";
import { type Param, ParameterForm, type ParamValues } from "../../forms/parameter-form.tsx";
import { CodeEditor } from "../../ui/code/code-editor.tsx";
import { TextDiff } from "../../ui/code/text-diff.tsx";
import { Example } from "./example.tsx";

const params: Param[] = [
  { name: "text", type: "text", label: "Text", helpertext: "With a line of help", required: true },
  { name: "number", type: "number", label: "Number", default: 4 },
  { name: "switch", type: "boolean", label: "Switch", description: "On or off", default: true },
  {
    name: "choice",
    type: "select",
    label: "Choice",
    options: [
      { key: "eu", value: "Europe" },
      { key: "us", value: "America" },
    ],
    default: "eu",
  },
  { name: "password", type: "password", label: "Secret", placeholder: "Set" },
  { name: "area", type: "textarea", label: "Longer text", disabled: true, default: "Not to be changed" },
] as Param[];

export function FieldsKit() {
  const [values, setValues] = useState<ParamValues>({});
  return (
    <>
      <Example name="TextInput: empty, filled, with an error, disabled; Checkbox; Radio">
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput label="Empty" placeholder="What goes here" />
          <TextInput label="Filled" defaultValue="the-hawks" />
          <TextInput label="With an error" defaultValue="Query" error="Query is reserved" />
          <TextInput label="Disabled" disabled defaultValue="stays" />
          <Checkbox label="A choice of its own" defaultChecked />
          <Radio label="One of several" defaultChecked />
        </SimpleGrid>
      </Example>
      <Example name="ParameterForm: a field for each kind of parameter; with an error of the service" isFramed>
        <ParameterForm params={params} values={values} onChange={setValues} errors={{ number: "is 40; at most 25" }} />
      </Example>
    </>
  );
}

const yaml =
  "name: deploy\nnodes:\n  - name: build\n    taskRef: script\n    params:\n      - name: target\n        value: $(params.target)\n";
const script = '#!/bin/sh\nset -eu\n# says hello\necho "hello $1"\n';

export function EditorsKit() {
  const [text, setText] = useState(yaml);
  return (
    <>
      <Example name="CodeEditor: YAML">
        <CodeEditor label="A workflow" language="yaml" value={text} onChange={setText} />
      </Example>
      <Example name="CodeEditor: read only">
        <CodeEditor label="A script" language="shell" value={script} isReadOnly />
      </Example>
      <Example name="TextDiff">
        <TextDiff label="Changes" language="yaml" before={yaml} after={yaml.replace("deploy", "release")} />
      </Example>
    </>
  );
}
