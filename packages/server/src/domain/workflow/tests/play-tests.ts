import type { AbstractParam } from "@millrace/contract/common.ts";
import { escapePointer } from "@millrace/contract/json-pointer.ts";
import type { WorkflowTestInput, WorkflowTestReport, WorkflowTestResult } from "@millrace/contract/workflow/workflow-test.ts";
import { checkParamValues } from "../../../core/parameter/parameters-check.ts";
import { secretMask } from "../../../core/parameter/secret-params.ts";
import { type Layers, newRunState, type RunState } from "../../../core/run/run-state.ts";
import type { Plan } from "../../../core/workflow/plan.ts";
import { coverageOf } from "../../../core/workflow-test/branch-coverage.ts";
import { countedIds } from "../../../core/workflow-test/in-memory-run.ts";
import type { NestedPlans, NewNestedState } from "../../../core/workflow-test/nested-plan.ts";
import { playTest } from "../../../core/workflow-test/play-test.ts";
import type { RunContext } from "../../run/run-context.ts";
import { buildLayers, callbackTopics, contextLayer } from "../../run/run-layers.ts";
import type { SaveContext } from "../save-context.ts";

/** A version of a workflow, or a draft, whose tests are run. */
export interface TestedVersion {
  name: string;
  displayName: string;
  /** Absent: a draft. */
  version?: number | undefined;
  plan: Plan;
  /** What is nested in it, which runs in its tests; absent: nothing. */
  nested?: NestedPlans | undefined;
  /** With encrypted secrets, which no test sees. */
  document: { params: readonly AbstractParam[]; timeout?: number | null };
}

type TestContext = Pick<SaveContext, "team" | "parameters" | "hasDefaultImage" | "maxTaskTimeoutMinutes">;

/**
 * Runs tests one after the other. Values come from the tests alone: of the parameters of the team and the instance only the names are
 * known, and of secrets only that they exist.
 */
export async function playTests(
  runs: Pick<RunContext, "types" | "publicUrl">,
  context: TestContext,
  tested: TestedVersion,
  tests: readonly WorkflowTestInput[],
): Promise<WorkflowTestReport> {
  const results: WorkflowTestResult[] = [];
  const pace = new Pace();
  for (const test of tests) results.push(await playOne(runs, context, tested, test, pace));
  const failed = results.filter(({ outcome }) => outcome === "failed").length;
  return {
    workflow: tested.name,
    ...(tested.version !== undefined && { version: tested.version }),
    ...{ passed: results.length - failed, failed, tests: withinLength(results), coverage: coverageOf(tested.plan, results) },
  };
}

async function playOne(
  runs: Pick<RunContext, "types" | "publicUrl">,
  context: TestContext,
  tested: TestedVersion,
  test: WorkflowTestInput,
  pace: Pace,
): Promise<WorkflowTestResult> {
  const failed = (path: string, message: string): WorkflowTestResult => ({
    ...{ name: test.name, outcome: "failed", problem: path === "" ? message : `${path} ${message}` },
    failures: path === "" ? [] : [{ path, message }],
  });
  const fault = givenFault(context, tested, test);
  if (fault) return failed(fault.path, fault.message);
  const ids = countedIds(tested.plan.nodes.length + 1);
  const state = stateOf(runs, context, tested, test);
  const nested = tested.nested && { plans: tested.nested, newState: nestedStates(context, test) };
  const steps = playTest({ plan: tested.plan, state, types: runs.types, test, ids, nested });
  for (;;) {
    if (!(await pace.goOn()))
      return failed("", `the tests of one request may take ${maxMs / 1000} seconds, which are over; run fewer at once`);
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Reasons for which a run would be refused, and unknown parameters. */
function givenFault(context: TestContext, { document }: TestedVersion, { given }: WorkflowTestInput) {
  const params = listOf(given?.params);
  const [wrong] = checkParamValues(params, document.params);
  if (wrong) return { path: "/given/params", message: wrong.message };
  for (const layer of ["team", "global"] as const) {
    const unknown = Object.keys(given?.[layer] ?? {}).find((name) => !context.parameters[layer].has(name));
    if (unknown === undefined) continue;
    const owner = layer === "team" ? `team ${context.team.name}` : "instance";
    return { path: `/given/${layer}/${escapePointer(unknown)}`, message: `is not a parameter of the ${owner}` };
  }
  return undefined;
}

function stateOf(
  { publicUrl }: Pick<RunContext, "publicUrl">,
  context: TestContext,
  { name, displayName, version, plan, document }: TestedVersion,
  test: WorkflowTestInput,
): RunState {
  const trigger = test.given?.trigger ?? "manual";
  const ids = countedIds(0);
  const own = Array.from({ length: plan.nodes.length + 1 }, () => ids());
  const named = {
    workflowId: own[0]!,
    workflowName: name,
    workflowDisplayName: displayName,
    version: version ?? 1,
    teamName: context.team.name,
  };
  const layers: Layers = buildLayers({
    global: placeholders(context.parameters.global, test.given?.global),
    team: placeholders(context.parameters.team, test.given?.team),
    declared: document.params,
    given: listOf(test.given?.params),
    context: contextLayer(named, own[0]!, trigger, null, publicUrl),
    callbackUrls: Object.fromEntries(callbackTopics(plan).map((topic) => [topic, ""])),
  }).masked;
  return newRunState(
    plan,
    {
      ...{ teamId: own[0]!, workflowId: own[0]!, workflowVersionId: own[0]!, taskVersionIds: [], trigger, layers },
      defaultImage: context.hasDefaultImage ? "default" : null,
      timeoutMinutes: test.given?.timeout || document.timeout || null,
      ...{ maxActiveMinutes: null, maxTaskTimeoutMinutes: context.maxTaskTimeoutMinutes, retries: 0, lineage: [], traceparent: null },
    },
    own,
  );
}

/** Runs of nested workflows have the context parameters of the run that contains them. */
function nestedStates(context: TestContext, test: WorkflowTestInput): NewNestedState {
  return ({ plan, document }, given, parent, newId) => {
    const [wrong] = checkParamValues(given, document.params);
    if (wrong) return wrong.message;
    const layers = buildLayers({
      global: placeholders(context.parameters.global, test.given?.global),
      team: placeholders(context.parameters.team, test.given?.team),
      declared: document.params,
      given,
      context: parent.layers.context,
      callbackUrls: Object.fromEntries(callbackTopics(plan).map((topic) => [topic, ""])),
    }).masked;
    const ids = Array.from({ length: plan.nodes.length + 1 }, newId);
    const { teamId, workflowId, workflowVersionId, defaultImage } = parent;
    const { maxTaskTimeoutMinutes } = context;
    return newRunState(
      plan,
      {
        ...{ teamId, workflowId, workflowVersionId, taskVersionIds: [], trigger: "task", layers, defaultImage },
        timeoutMinutes: document.timeout || null,
        ...{ maxActiveMinutes: null, maxTaskTimeoutMinutes, retries: 0, lineage: [], traceparent: null },
      },
      ids,
    );
  };
}

/** The test's values, and a mask for all others. */
function placeholders(names: ReadonlySet<string>, given: Readonly<Record<string, unknown>> | null | undefined): AbstractParam[] {
  return [...names].map((name) => {
    const value = given && Object.hasOwn(given, name) ? given[name] : undefined;
    return { name, type: value === undefined ? "password" : "json", value: (value ?? secretMask) as AbstractParam["value"] };
  });
}

function listOf(values: Readonly<Record<string, unknown>> | null | undefined): { name: string; value: unknown }[] {
  return Object.entries(values ?? {}).map(([name, value]) => ({ name, value }));
}

/** Of all tests of a request. */
const maxMs = 10_000;
const turnMs = 20;

/** Lets the other requests of the process run, and stops a hostile test. */
class Pace {
  readonly #begunAt = performance.now();
  #turnBegunAt = this.#begunAt;

  /** False: the time is over. */
  async goOn(): Promise<boolean> {
    if (performance.now() - this.#turnBegunAt > turnMs) {
      await new Promise<void>((resolve) => void setImmediate(resolve));
      this.#turnBegunAt = performance.now();
    }
    return performance.now() - this.#begunAt < maxMs;
  }
}

const maxLength = 8 * 1024 * 1024;

/** The response shows the paths of the first tests, as far as they fit; for all others only whether they passed. */
function withinLength(results: readonly WorkflowTestResult[]): WorkflowTestResult[] {
  let left = maxLength;
  return results.map((result) => {
    left -= JSON.stringify(result.run ?? null).length;
    const { run: _long, ...short } = result;
    return left < 0 ? short : result;
  });
}
