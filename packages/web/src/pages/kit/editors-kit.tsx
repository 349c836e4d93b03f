import { useState } from "react";
import { CodeEditor } from "../../ui/code/code-editor.tsx";
import { TextDiff } from "../../ui/code/text-diff.tsx";
import { Example } from "./example.tsx";

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
