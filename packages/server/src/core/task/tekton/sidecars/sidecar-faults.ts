import type { Step, TaskSpec } from "@millrace/contract/task/task.ts";
import type { ErrorDetail } from "../../../../base/error/app-error.ts";
import { findReferences } from "../../../parameter/references.ts";
import { duplicates } from "../../name-faults.ts";
import { sidecarNames, sidecarStepName, sidecarsOf } from "../flat-step.ts";
import { readProbe } from "./readiness-probe.ts";

/** Each sidecar is a container that runs during the whole attempt. */
export const maxSidecars = 10;

/** What is wrong with sidecars beside what is examined in steps as well. @param stepNames as their job will have them */
export function sidecarFaults(spec: Partial<TaskSpec>, stepNames: readonly string[]): ErrorDetail[] {
  const sidecars = sidecarsOf(spec);
  if (sidecars.length > maxSidecars)
    return [{ path: "/spec/sidecars", message: `has ${sidecars.length} sidecars; a task can have ${maxSidecars}` }];
  const names = sidecarNames(sidecars);
  return [
    ...duplicates("sidecars", "/spec/sidecars", sidecars as { name: string }[]),
    ...sidecars.flatMap((sidecar, index) => {
      const path = `/spec/sidecars/${index}`;
      const logName = sidecarStepName(names[index] ?? "");
      return [
        ...(stepNames.includes(logName)
          ? [
              {
                path: `${path}/name`,
                message: `is ${names[index]}, but a step is called ${logName}, as its log would be; rename one of them`,
              },
            ]
          : []),
        ...(sidecar.image?.trim() ? [] : [{ path: `${path}/image`, message: "is missing; a sidecar runs in an image of its own" }]),
        ...probeFaults(sidecar, path),
        ...workspaceFaults(sidecar["workspaces"], spec.workspaces ?? [], `${path}/workspaces`),
        ...resultFaults(sidecar, path),
      ];
    }),
  ];
}

function probeFaults({ readinessProbe, ports }: Record<string, unknown>, path: string): ErrorDetail[] {
  if (readinessProbe == null) return [];
  const read = readProbe(readinessProbe, ports, `${path}/readinessProbe`);
  return "fault" in read ? [read.fault] : [];
}

/** Isolated workspaces of Tekton: only declared workspaces, at the same paths as in the steps. */
function workspaceFaults(written: unknown, declared: readonly { name: string; mountPath?: string }[], path: string): ErrorDetail[] {
  if (written == null) return [];
  const isList = Array.isArray(written) && written.every((entry) => typeof (entry as { name?: unknown } | null)?.name === "string");
  if (!isList) return [{ path, message: "must be a list of names of workspaces" }];
  return (written as { name: string; mountPath?: unknown }[]).flatMap(({ name, mountPath }, index) => {
    const found = declared.find((workspace) => workspace.name === name);
    if (found === undefined)
      return [{ path: `${path}/${index}/name`, message: `is ${shown(name)}, but the task has no workspace of that name` }];
    const isSame = mountPath == null || mountPath === "" || mountPath === (found.mountPath ?? `/workspace/${name}`);
    if (isSame) return [];
    return [{ path: `${path}/${index}/mountPath`, message: `is ${shown(mountPath)}; a sidecar has a workspace where the steps have it` }];
  });
}

/** Sidecars start before any results exist, and end after all results were read. */
function resultFaults(sidecar: Step, path: string): ErrorDetail[] {
  const { image, script, command, args, env, workingDir } = sidecar;
  const places: Record<string, unknown> = { image, script, command, args, env: env?.map(({ value }) => value), workingDir };
  return Object.entries(places).flatMap(([member, text]) =>
    findReferences(text).flatMap((reference) =>
      reference.kind === "place" && ["results", "step", "steps"].includes(reference.words[0] ?? "")
        ? [{ path: `${path}/${member}`, message: `refers to ${reference.text}, but a sidecar has no results; use a workspace or a volume` }]
        : [],
    ),
  );
}

/** Members that no executor supports: a run says so. */
const unsupported = ["livenessProbe", "startupProbe", "lifecycle", "volumeDevices", "restartPolicy"] as const;

export interface SidecarDemand {
  path: string;
  what: string;
  /** Absent: some executor supports it. */
  isImpossible?: true;
  /** The image defines what runs. */
  isOfImage?: true;
}

/**
 * What sidecars demand of the executor. A task that was saved before any executor here supported sidecars may contain what is now refused.
 */
export function sidecarDemands(spec: Partial<TaskSpec>, steps: readonly Pick<Step, "name">[]): SidecarDemand[] {
  const sidecars = sidecarsOf(spec);
  if (sidecars.length === 0) return [];
  const [fault] = sidecarFaults(
    spec,
    steps.map(({ name = "" }) => name),
  );
  if (fault !== undefined)
    return [
      { path: fault.path, what: `has sidecars, and ${fault.path.slice(1).replaceAll("/", ".")} ${fault.message}`, isImpossible: true },
    ];
  const names = sidecarNames(sidecars);
  const odd = sidecars.flatMap((sidecar, index) =>
    unsupported
      .filter((member) => isGiven(sidecar[member]))
      .map((member): SidecarDemand => {
        const what = `uses ${member} in the sidecar ${names[index]}`;
        return { path: `/spec/sidecars/${index}/${member}`, what, isImpossible: true };
      }),
  );
  const open = sidecars.flatMap((sidecar, index): SidecarDemand[] => {
    if (sidecar.script || sidecar.command?.length) return [];
    const what = `leaves the command of the sidecar ${names[index]} to its image`;
    return [{ path: `/spec/sidecars/${index}`, what, isOfImage: true }];
  });
  return [{ path: "/spec/sidecars", what: `has sidecars (${names.join(", ")})` }, ...odd, ...open];
}

function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null;
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? "missing").slice(0, 80);
}
