import type { AbstractParam } from "@millrace/contract/common.ts";
import { WorkBudget } from "../../document/work-budget.ts";
import { chooseEdges, maxChangeWork } from "../../parameter/condition.ts";
import { type ParameterScope, resolveParams, resolveValue } from "../../parameter/parameters.ts";
import { contextParameters } from "../../parameter/parameters-available.ts";
import type { ParameterWarning } from "../../parameter/parameters-substitution.ts";
import { callbackParameter, type Reference, scanReferences } from "../../parameter/references.ts";
import { declaredValues, isSecretParam, nodeValues, secretMask } from "../../parameter/secret-params.ts";
import { nodeAt, type PlanNode } from "../../workflow/plan.ts";
import type { LoopScope } from "../loops/loop-scope.ts";
import { type NodeScope, parameterScope, resolveItemList } from "../resolve-node.ts";

/**
 * What the expressions of a workflow resolve to, with the values known before it runs. It uses the same substitution as a run
 * (resolve-node.ts), with masked layers. References that can't be resolved are sorted: those that don't exist, and those that have no value
 * yet.
 */

export interface PreviewFinding {
  reference: string;
  why: string;
}

export interface PreviewResult {
  /** Undefined: the limit for the whole preview was already used up. */
  value: unknown;
  isSecret: boolean;
  unknown: PreviewFinding[];
  missing: PreviewFinding[];
  /** Indexes of the nodes whose results the value contains. */
  from: number[];
}

export interface PreviewScope extends NodeScope {
  /** Whether that node has ended when the previewed node starts. */
  isBefore(index: number): boolean;
  /** Whether the node, which runs another workflow, may get this result from that workflow. */
  mayGet?(index: number, result: string): boolean;
  /** The round of the node, if it is a loop and a round is known. */
  loop?: LoopScope | undefined;
}

/** The most that one response may put in place of references, in characters: each expression could refer to the same value of 1 MiB. */
const maxTotal = 16 * 1024 * 1024;
const maxFindings = 20;

/** Context parameters whose values are known only when a run or a task starts. */
const knownLater = new Set<string>([...contextParameters, callbackParameter, "item", "item-index", "event", "data"]);

export class Preview {
  readonly #scope: PreviewScope;
  readonly #node: PlanNode | undefined;
  readonly #base: ParameterScope;
  readonly #declared: readonly AbstractParam[];
  /** Parameters of the node, which its expressions may refer to. */
  readonly own: Readonly<Record<string, unknown>>;
  readonly #work = new WorkBudget(maxChangeWork);
  #room = maxTotal;

  /** @param node undefined: the expressions do not belong to a task */
  constructor(scope: PreviewScope, node: PlanNode | undefined) {
    this.#scope = scope;
    this.#node = node;
    this.#base = baseScope(scope, node);
    this.#declared = node ? declaredValues(node) : [];
    const { params } = resolveParams(node ? nodeValues(node.params) : [], this.#declared, this.#base);
    this.own = Object.fromEntries(params.map(({ name, value }) => [name, value]));
  }

  /**
   * @param param the parameter whose value the text is. It decides the type, and a reference of the text to this parameter means its value
   * from the layer below.
   */
  resolve(text: string, param?: string | null): PreviewResult {
    const declared = this.#declared.find(({ name }) => name === param);
    const references = scanReferences(text).flatMap(({ reference }) => reference ?? []);
    if (declared && isSecretParam(declared) && references.length === 0)
      return { ...nothing(), value: text && secretMask, isSecret: text !== "" };
    if (this.#room <= 0) return nothing();
    return this.#sorted(text, param == null ? this.#resolveText(text) : this.#resolveParam(text, param, declared), references);
  }

  /**
   * Resolves a setting of the node, such as the condition of its loop, which does not see the node's parameters. If no round is known, it
   * is resolved as before the first round.
   */
  resolveSetting(text: string, type: "string" | "array"): PreviewResult {
    const references = scanReferences(text).flatMap(({ reference }) => reference ?? []);
    if (this.#room <= 0) return nothing();
    const { loop = { index: 0, previous: undefined } } = this.#scope;
    return this.#sorted(text, resolveValue(text, type, baseScope({ ...this.#scope, loop }, this.#node)), references);
  }

  #sorted(text: string, { value, warnings }: Resolved, references: readonly Reference[]): PreviewResult {
    const written = JSON.stringify(value ?? null);
    this.#room -= written.length;
    return { value, isSecret: written.includes(secretMask) && !text.includes(secretMask), ...this.#sort(warnings, references) };
  }

  /** Which of the links with these patterns a switch follows. @throws CostlyPatterns */
  choose(value: string, patterns: readonly string[]): boolean[] {
    return chooseEdges(value, patterns, { work: this.#work });
  }

  /** Names of all known results of tasks before the node. */
  results(): { node: number; name: string }[] {
    const { plan, resultsOf, isBefore } = this.#scope;
    const known = plan.nodes.filter(({ index }) => isBefore(index));
    return known.flatMap(({ index }) => (resultsOf(index) ?? []).map(({ name }) => ({ node: index, name })));
  }

  #resolveText(text: string) {
    return resolveValue(text, "any", { ...this.#base, task: { ...this.#base.task, ...this.own } });
  }

  #resolveParam(text: string, param: string, declared: AbstractParam | undefined) {
    const { [param]: _, ...others } = this.own;
    const scope = { ...this.#base, task: { ...this.#base.task, ...others } };
    const { params, warnings } = resolveParams([{ name: param, value: text }], declared ? [declared] : [], scope);
    return { value: params[0]?.value, warnings };
  }

  #sort(warnings: readonly ParameterWarning[], references: readonly Reference[]): Pick<PreviewResult, "unknown" | "missing" | "from"> {
    const { plan, endOf } = this.#scope;
    const byText = new Map(references.map((reference) => [reference.text, reference]));
    const unknown: PreviewFinding[] = [];
    const missing: PreviewFinding[] = [];
    for (const { reference, why, isUnresolved } of warnings) {
      const later = this.#whyLater(byText.get(reference), isUnresolved === true);
      if (later !== undefined) missing.push({ reference, why: later || why });
      else unknown.push({ reference, why });
    }
    const tasks = references.flatMap((reference) => (reference.kind === "result" ? (plan.byName.get(reference.task) ?? []) : []));
    const from = [...new Set(tasks)].filter((index) => endOf(index) !== undefined);
    return { unknown: unknown.slice(0, maxFindings), missing: missing.slice(0, maxFindings), from };
  }

  /**
   * Why the reference has no value yet, although it may have one in a run. Empty: the warning's own reason stands. Undefined: it will never
   * have one.
   */
  #whyLater(reference: Reference | undefined, isUnresolved: boolean): string | undefined {
    if (reference?.kind === "param" && reference.layer === "loop" && this.#node?.loop && !this.#scope.loop)
      return "it is known when the round begins";
    if (!isUnresolved) return reference === undefined ? undefined : "";
    if (reference?.kind === "param" && (reference.layer ?? "context") === "context" && knownLater.has(reference.name))
      return "it is known when the workflow runs";
    if (reference?.kind !== "result") return undefined;
    const index = this.#scope.plan.byName.get(reference.task);
    if (index === undefined || this.#scope.endOf(index) !== undefined) return undefined;
    if (this.#node && !this.#scope.isBefore(index)) return undefined;
    return mayHave(nodeAt(this.#scope.plan, index), reference.name) || this.#scope.mayGet?.(index, reference.name)
      ? `no result yet: pin the results of "${reference.task}", or choose a run`
      : undefined;
  }
}

type Resolved = Pick<ReturnType<typeof resolveValue>, "value" | "warnings">;

function nothing(): PreviewResult {
  return { value: undefined, isSecret: false, unknown: [], missing: [], from: [] };
}

/** A node that declares results has no others. */
function declaredResults({ results, task }: PlanNode): string[] {
  return [...results, ...((task?.spec["results"] as { name: string }[] | undefined) ?? [])].map(({ name }) => name);
}

function mayHave(node: PlanNode, result: string): boolean {
  const declared = declaredResults(node);
  return declared.length === 0 || declared.includes(result);
}

function baseScope(scope: PreviewScope, node: PlanNode | undefined): ParameterScope {
  const shown = node ?? nodeAt(scope.plan, scope.plan.start);
  const base = parameterScope(scope, shown, { taskRunId: "", name: shown.name, ...firstItem(scope, node), ...loopOf(scope, node) });
  const { "taskrun-ref": _, "taskrun-name": name, "taskrun-type": type, ...context } = base.context ?? {};
  const whyNot = (task: string) => {
    const index = scope.plan.byName.get(task);
    return node && index !== undefined && !scope.isBefore(index) ? `task "${task}" does not end before task "${node.name}"` : undefined;
  };
  return {
    ...base,
    context: node ? { ...context, "taskrun-name": name, "taskrun-type": type } : context,
    result: (task, result) => {
      const why = whyNot(task);
      return why === undefined ? (base.result?.(task, result) ?? { found: false }) : { found: false, why };
    },
  };
}

function loopOf({ loop }: PreviewScope, node: PlanNode | undefined): { loop?: LoopScope } {
  return node?.loop && loop ? { loop } : {};
}

/** For a task that runs for each item of a list, the preview shows the first item. */
function firstItem(scope: PreviewScope, node: PlanNode | undefined): { item?: { value: unknown; index: number } } {
  if (!node?.forEach) return {};
  try {
    const { items } = resolveItemList(scope, { ...node, keepsUnresolved: true }, { taskRunId: "", name: node.name });
    return Array.isArray(items) && items.length > 0 ? { item: { value: items[0] as unknown, index: 0 } } : {};
  } catch {
    return {};
  }
}
