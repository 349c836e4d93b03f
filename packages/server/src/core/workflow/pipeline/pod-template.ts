import type { PipelineRunDefinition } from "@millrace/contract/pipeline-definition.ts";
import type { PipelineReport } from "./pipeline-report.ts";

/** Without the network of the machine such a run would not do what its document says, and with it a workflow needs a right of its own. */
export function refuseHostNetwork(spec: PipelineRunDefinition["spec"], report: PipelineReport): void {
  const { podTemplate, taskRunTemplate, taskRunSpecs } = spec as Record<string, unknown>;
  const ofTasks = Array.isArray(taskRunSpecs) ? taskRunSpecs : [];
  const templates: [path: string, template: unknown][] = [
    ["/spec/podTemplate", podTemplate],
    ["/spec/taskRunTemplate/podTemplate", asObject(taskRunTemplate)["podTemplate"]],
    ...ofTasks.flatMap((one, index): [string, unknown][] =>
      ["podTemplate", "taskPodTemplate"].map((member) => [`/spec/taskRunSpecs/${index}/${member}`, asObject(one)[member]]),
    ),
  ];
  for (const [path, template] of templates) {
    const { hostNetwork } = asObject(template);
    if (hostNetwork !== undefined && hostNetwork !== null && hostNetwork !== false) report.refuse(`${path}/hostNetwork`, instead);
  }
}

const instead =
  "is not read here; leave it out, and give tasks that need the network of the machine the annotation millrace.dev/network: host, " +
  "which takes MILLRACE_ALLOW_HOST_NETWORK=true and allowHostNetwork of the team";

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
