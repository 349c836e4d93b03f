import { expect, test } from "vitest";
import { startWork } from "../../../test/kit/processor-ms.ts";
import { findMisspelt } from "./misspelt-references.ts";

test.each([
  ["$(param.city)", "$(params.city)"],
  ["$(parms.city[0].name)", "$(params.city[0].name)"],
  ["$(Params['a.b'])", "$(params['a.b'])"],
  ["$(parameters.city)", "$(params.city)"],
  ["$(inputs.city)", "$(params.city)"],
  ["$(inputs.parameters.city)", "$(params.city)"],
  ["$(secrets.TOKEN)", "$(params.TOKEN)"],
  ["$( params.city )", "$(params.city)"],
  ["$(workflow.parameters.city)", "$(workflow.params.city)"],
  ["$(team.param.x)", "$(team.params.x)"],
  ["$(globl.params.x)", "$(global.params.x)"],
  ["$(context.workflowrun-ref)", "$(context.params.workflowrun-ref)"],
  ["$(context.codehost-tokn)", "$(context.codehost-token)"],
  ["$(taks.build.results.image)", "$(tasks.build.results.image)"],
  ["$(Tasks.build.result.image)", "$(tasks.build.results.image)"],
  ["$(results.image)", "$(results.image.path)"],
  ["$(result.image.path)", "$(results.image.path)"],
  ["$(workspaces.source)", "$(workspaces.source.path)"],
  ["$(workspace.source.pth)", "$(workspaces.source.path)"],
  ["{{ params.city }}", "$(params.city)"],
  ["{{inputs.parameters.city}}", "$(params.city)"],
  ["{{workflow.parameters.city}}", "$(workflow.params.city)"],
  ["${{ inputs.city }}", "$(params.city)"],
  ["{{tasks.build.outputs.image}}", "$(tasks.build.results.image)"],
])("%s was meant as %s", (text, meant) => {
  expect(findMisspelt(`echo "${text}" and ${text}`)).toEqual([{ text, meant }]);
});

test.each([
  "$(params.city) $(workflow.params.city) $(inputs.params.city) $(context.params.workflow-name) $(params.list[*])",
  "$(tasks.a.results.b) $(task.a.results.b) $(results.a.path) $(workspaces.source.bound) $(context.taskRun.name)",
  "$(date) $(date +%F) $(cat param.txt) $(params) $((1 + 2)) ${HOME} $(./params.sh) $(global.sh) $(params.sh) $(team.py)",
  "$(node.exe) $(python3.11) $(my.tool.run) {{ .Values.city }} {{ name }} {{ item.title }} $(steps.a.exitCode.path)",
  "$params.x ${params.x}",
])("%s is left alone", (text) => {
  expect(findMisspelt(text)).toEqual([]);
});

test("hostile text takes linear time", () => {
  const expectWithin = startWork();
  for (const piece of ["$(param.", "$(param.a", "{{ param.a", "$(param['a", "$(          "])
    findMisspelt(piece.repeat(1_000_000 / piece.length));
  findMisspelt(`$(param${".a".repeat(500_000)})`);
  expectWithin(10_000);
});
