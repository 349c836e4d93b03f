import { Checkbox, NavLink, Radio, SimpleGrid, TextInput } from "@mantine/core";
import { useState } from "react";
import { type Param, ParameterForm, type ParamValues } from "../../forms/parameter-form.tsx";
import { CodeEditor, TextDiff } from "../../ui/code/code-editor.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { ColoursKit, StatusKit, TextKit } from "./basics-kit.tsx";
import { ButtonsKit, StatesKit } from "./buttons-kit.tsx";
import { Example } from "./example.tsx";
import { FormsKit } from "./forms-kit.tsx";
import classes from "./kit.module.css";
import { TablesKit } from "./tables-kit.tsx";

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

function FieldsKit() {
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

function EditorsKit() {
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

const parts = [
  { id: "colours", title: "Colours", Part: ColoursKit },
  { id: "text", title: "Text, times and Markdown", Part: TextKit },
  { id: "statuses", title: "Statuses", Part: StatusKit },
  { id: "buttons", title: "Buttons and dialogs", Part: ButtonsKit },
  { id: "fields", title: "Fields", Part: FieldsKit },
  { id: "forms", title: "Forms", Part: FormsKit },
  { id: "tables", title: "Tables and lists", Part: TablesKit },
  { id: "states", title: "Empty, loading, error, no permission", Part: StatesKit },
  { id: "editors", title: "Editors and comparisons", Part: EditorsKit },
];

/** Every component of ui/ in all its states, for people who design, build or test a screen. */
export function KitPage() {
  return (
    <>
      <PageHeader
        title="Components"
        detail="What the screens are made of, in all states. Times, colours and words here are those of the real screens."
      />
      <div className={classes.columns}>
        <nav aria-label="Components" className={classes.index}>
          {parts.map(({ id, title }) => (
            <NavLink key={id} href={`#${id}`} label={title} className={classes.entry} />
          ))}
        </nav>
        <div className={classes.parts}>
          {parts.map(({ id, title, Part }) => (
            <section key={id} id={id} aria-labelledby={`${id}-title`}>
              <h2 id={`${id}-title`} className={classes.title}>
                {title}
              </h2>
              <Part />
            </section>
          ))}
        </div>
      </div>
    </>
  );
}
