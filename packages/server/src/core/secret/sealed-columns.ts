import { isEnvelopeText } from "../../base/secret/envelope.ts";
import { keysOf } from "../parameter/secret-params.ts";
import {
  chatTokenPlace,
  globalParametersPlace,
  runSecretsPlace,
  scheduleParametersPlace,
  settingPlace,
  subscriptionAddressPlace,
  subscriptionSecretPlace,
  taskParametersPlace,
  teamParametersPlace,
  templateParametersPlace,
  webhookSecretPlace,
  workflowParametersPlace,
} from "./sealed-places.ts";

/**
 * The shapes of sealed values in a column. `text` and `bytes`: one envelope. `param` and `params`: declared parameters (those of type
 * password, and each key of those of type secret). `given`: values marked by `hiddenValue`. `spec`: the definition of a task. `document`: a
 * workflow. `target`: where a subscription sends to. The database knows the same shapes in `sealed_keys`.
 */
export type SealedShape = "text" | "bytes" | "param" | "params" | "given" | "spec" | "document" | "target";

export interface KeyColumn {
  name: string;
  type: "uuid" | "text";
}

/** A column with sealed values. The list is complete: re-sealing uses it, and a test compares it with the database. */
export interface SealedColumn {
  table: string;
  column: string;
  shape: SealedShape;
  /** The primary key, with its types: rows are locked in its order. */
  key: readonly KeyColumn[];
  /** SQL expressions whose values `placeOf` combines into the place of the envelope. */
  placeParts: readonly string[];
  placeOf(parts: readonly (string | null)[]): string;
}

export const sealedColumns: readonly SealedColumn[] = [
  column("setting.value", "text", ["group_key", "key"], ["group_key", "key"], ([group, key]) => settingPlace(text(group), text(key))),
  column("global_parameter.document", "param", ["name"], [], () => globalParametersPlace),
  column("team.parameters", "params", ["id"], ["id"], ([team]) => teamParametersPlace(text(team))),
  column("workflow_version.document", "document", ["team_id", "id"], ["team_id"], ([team]) => workflowParametersPlace(text(team))),
  column("workflow_proposal.document", "document", ["team_id", "action_id"], ["team_id"], ([team]) => workflowParametersPlace(text(team))),
  column("workflow_template_version.document", "document", ["id"], [], () => templateParametersPlace),
  column("task_version.spec", "spec", ["id"], ["(select t.team_id from task t where t.id = task_version.task_id)"], ([team]) =>
    taskParametersPlace(team ?? null),
  ),
  column("schedule.params", "given", ["team_id", "id"], ["team_id"], ([team]) => scheduleParametersPlace(text(team))),
  ...["secret", "previous"].map((name) =>
    column(`webhook_secret.${name}`, "text", ["team_id", "workflow_id"], ["team_id", "workflow_id"], ([team, workflow]) =>
      webhookSecretPlace(text(team), text(workflow)),
    ),
  ),
  column("chat_workspace.token", "text", ["id"], ["ref"], ([ref]) => chatTokenPlace(text(ref))),
  ...["secret", "old_secret"].map((name) =>
    column(`subscription.${name}`, "text", ["id"], ["id"], ([id]) => subscriptionSecretPlace(text(id))),
  ),
  column("subscription.target", "target", ["id"], ["id"], ([id]) => subscriptionAddressPlace(text(id))),
  column("run.secrets", "bytes", ["team_id", "id"], ["team_id", "id"], ([team, run]) => runSecretsPlace(text(team), text(run))),
];

function column(
  name: string,
  shape: SealedShape,
  key: readonly string[],
  placeParts: readonly string[],
  placeOf: SealedColumn["placeOf"],
): SealedColumn {
  const [table = "", of = ""] = name.split(".");
  return {
    table,
    column: of,
    shape,
    key: key.map((one) => ({ name: one, type: /(^|_)id$/.test(one) ? "uuid" : "text" })),
    placeParts,
    placeOf,
  };
}

function text(part: string | null | undefined): string {
  if (part === null || part === undefined) throw new Error("an encrypted value is in a row without its key");
  return part;
}

interface Param {
  type?: unknown;
  value?: unknown;
  default?: unknown;
  hiddenValue?: unknown;
}

/** The sealed texts in a column's content, each once. A user's text that only looks sealed is not included. */
export function sealedTexts(shape: Exclude<SealedShape, "bytes">, content: string): string[] {
  if (shape === "text") return isEnvelopeText(content) ? [content] : [];
  const document = JSON.parse(content) as unknown;
  if (shape === "target") return [(document as { sealedUrl?: unknown }).sealedUrl].filter(isEnvelope);
  const found = shape === "given" ? given(document) : declared(shape === "param" ? [document] : listOf(document, shape));
  const ofTasks = shape === "document" ? list((document as { tasks?: unknown }).tasks).flatMap((task) => given(paramsOf(task))) : [];
  return [...new Set([...found, ...ofTasks])].filter(isEnvelope);
}

function isEnvelope(value: unknown): value is string {
  return typeof value === "string" && isEnvelopeText(value);
}

function listOf(document: unknown, shape: SealedShape): unknown {
  return shape === "params" ? document : paramsOf(document);
}

function declared(params: unknown): unknown[] {
  return list(params).flatMap((param) => {
    const type = typeof param.type === "string" ? param.type.toLowerCase() : "";
    if (type === "password") return [param.value, param.default];
    return type === "secret" ? Object.values(keysOf(param.value) ?? {}) : [];
  });
}

function given(params: unknown): unknown[] {
  return list(params)
    .filter(({ hiddenValue }) => hiddenValue === true)
    .flatMap((param) => [param.value, param.default]);
}

function paramsOf(holder: unknown): unknown {
  return (holder as { params?: unknown } | null)?.params;
}

function list(value: unknown): Param[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "object" && one !== null) : [];
}
