import { randomBytes } from "node:crypto";
import { type SubscriptionInput, subscriptionLimits } from "@millrace/contract/outbound/subscription.ts";
import { AppError } from "../../base/error/app-error.ts";
import type { Keyring } from "../../base/secret/keyring.ts";
import { isSameJson } from "../../core/document/same-json.ts";
import { webhookSecretFault } from "../../core/outbound/webhook-target.ts";
import { subscriptionSecretPlace } from "../../core/secret/sealed-places.ts";
import type { Queryable, Transaction } from "../../store/database/database.ts";
import { insertOwnEvent } from "../../store/outbound/change-events.ts";
import { insertDeliveries } from "../../store/outbound/deliveries.ts";
import { type DeliveryRow, listDeliveries } from "../../store/outbound/delivery-query.ts";
import {
  countSubscriptions,
  findSecret,
  findSubscription,
  insertSubscription,
  lockSubscription,
  lockSubscriptionScope,
  newSubscriptionId,
  replaceSecret,
  rotateSecret,
  type SubscriptionFields,
  type SubscriptionRow,
  updateSubscription,
} from "../../store/outbound/subscriptions.ts";
import { refuseFaults } from "../workflow/refuse-faults.ts";
import { readSubscriptionFields } from "./subscription-fields.ts";
import { openWebhookAddress, sealWebhookAddress, shownTarget } from "./webhook-target.ts";

/**
 * @param teamId null: the instance
 * @param ref id or name
 * @throws SUBSCRIPTION_INVALID_REF
 */
export async function requireSubscription(db: Queryable, teamId: string | null, ref: string): Promise<SubscriptionRow> {
  return found(await findSubscription(db, teamId, ref), ref);
}

/** The same, locked until the transaction ends. */
export async function holdSubscription(db: Queryable, teamId: string | null, ref: string): Promise<SubscriptionRow> {
  return found(await lockSubscription(db, teamId, ref), ref);
}

function found(subscription: SubscriptionRow | undefined, ref: string): SubscriptionRow {
  if (!subscription) throw new AppError("SUBSCRIPTION_INVALID_REF", [ref]);
  return subscription;
}

/** How long the previous secret stays valid beside a new one. */
const overlapMs = 24 * 3600 * 1000;
/** Paths use these words in place of a name. */
const reservedNames = ["query"];

interface SubscriptionScope {
  /** Null: the instance. */
  teamId: string | null;
  keyring: Keyring;
  /** The principal who makes the change. */
  principalId: string;
}

/** @returns the subscription, and its secret in clear, which is not shown again */
export async function createSubscription(
  tx: Transaction,
  { teamId, keyring, principalId }: SubscriptionScope,
  body: SubscriptionInput,
): Promise<{ subscription: SubscriptionRow; secret: string | undefined }> {
  const fields = await readSubscriptionFields(tx, teamId, body);
  const secret = fields.channel === "webhook" ? chooseSecret(body.secret) : undefined;
  await lockSubscriptionScope(tx, teamId);
  const count = await countSubscriptions(tx, teamId);
  if (count >= subscriptionLimits.perScope) throw new AppError("SUBSCRIPTION_LIMIT", [count]);
  await requireFreeName(tx, teamId, fields.name);
  const id = await newSubscriptionId(tx);
  const sealed = secret === undefined ? null : keyring.sealText(secret, subscriptionSecretPlace(id));
  await insertSubscription(tx, { id, teamId, secret: sealed, createdBy: principalId }, toStore(keyring, id, fields));
  return { subscription: await requireSubscription(tx, teamId, id), secret };
}

/**
 * If the address of a webhook changes, the same request must contain a secret, because the stored one was agreed with another receiver. An
 * address in the form in which it is shown means the stored one.
 *
 * @param isWhole members that the body doesn't have are reset to the default; otherwise they stay
 */
export async function changeSubscription(
  tx: Transaction,
  { teamId, keyring }: Omit<SubscriptionScope, "principalId">,
  ref: string,
  body: SubscriptionInput,
  isWhole: boolean,
): Promise<{ before: SubscriptionRow; after: SubscriptionRow }> {
  await lockSubscriptionScope(tx, teamId);
  const before = await holdSubscription(tx, teamId, ref);
  const target = toUse(keyring, before);
  const isAsShown = body.target != null && JSON.stringify(body.target) === JSON.stringify(shownTarget(before));
  const fields = await readSubscriptionFields(
    tx,
    teamId,
    isAsShown ? { ...body, target } : body,
    isWhole ? { channel: before.channel } : { ...before, target },
  );
  if (fields.name !== before.name) await requireFreeName(tx, teamId, fields.name);
  const secret = secretForMove(before, fields, target, body.secret);
  await updateSubscription(tx, teamId, before.id, toStore(keyring, before.id, fields));
  if (secret !== undefined) await replaceSecret(tx, teamId, before.id, keyring.sealText(secret, subscriptionSecretPlace(before.id)));
  return { before, after: await requireSubscription(tx, teamId, before.id) };
}

/**
 * Creates or changes the subscription of that name. An existing one keeps its secret. A different secret in the body replaces it, like
 * `rotateSubscriptionSecret`; the same one changes nothing. If nothing changes, nothing is written, and `subscription` is `before`.
 */
export async function applySubscription(
  tx: Transaction,
  scope: SubscriptionScope,
  body: SubscriptionInput,
): Promise<{ before: SubscriptionRow | undefined; subscription: SubscriptionRow; generated: string | undefined; isRotated: boolean }> {
  const { teamId, keyring } = scope;
  await lockSubscriptionScope(tx, teamId);
  const before = await lockSubscription(tx, teamId, body.name?.trim() ?? "");
  if (before === undefined) {
    const { subscription, secret } = await createSubscription(tx, scope, body);
    return { before, subscription, generated: body.secret ? undefined : secret, isRotated: false };
  }
  if (body.channel != null && body.channel !== before.channel) {
    const message = `is ${body.channel}, but that of this subscription is ${before.channel} and can't be changed; delete it first, or give another name`;
    refuseFaults([{ path: "/channel", message }]);
  }
  const target = toUse(keyring, before);
  const wanted = JSON.stringify(body.target) === JSON.stringify(shownTarget(before)) ? { ...body, target } : body;
  const fields = await readSubscriptionFields(tx, teamId, wanted, { channel: before.channel });
  const isMoved = before.channel === "webhook" && fields.target["url"] !== target["url"];
  const isSame = isSameJson(fieldsOf(fields), fieldsOf({ ...before, target }));
  const given = body.secret || undefined;
  const isRotated = !isMoved && given !== undefined && !(await hasSecret(tx, keyring, before, given));
  if (isSame && !isRotated) return { before, subscription: before, generated: undefined, isRotated };
  if (!isSame) await changeSubscription(tx, scope, before.id, isMoved ? wanted : { ...wanted, secret: null }, true);
  if (isRotated) await rotateSubscriptionSecret(tx, scope, before.id, given);
  return { before, subscription: await requireSubscription(tx, teamId, before.id), generated: undefined, isRotated: isRotated || isMoved };
}

function fieldsOf({ name, channel, isActive, filters, target }: SubscriptionFields) {
  return { name, channel, isActive, filters, target };
}

/** Also for a channel without secrets: `rotateSubscriptionSecret` then refuses it. */
async function hasSecret(tx: Transaction, keyring: Keyring, { id, teamId }: SubscriptionRow, given: string): Promise<boolean> {
  const stored = await findSecret(tx, teamId, id);
  return stored !== undefined && keyring.openText(stored, subscriptionSecretPlace(id)) === given;
}

function toStore(keyring: Keyring, id: string, fields: SubscriptionFields): SubscriptionFields {
  return fields.channel === "webhook" ? { ...fields, target: sealWebhookAddress(keyring, id, fields.target) } : fields;
}

function toUse(keyring: Keyring, { id, channel, target }: SubscriptionRow): SubscriptionRow["target"] {
  return channel === "webhook" ? { url: openWebhookAddress(keyring, id, target) } : target;
}

/** Undefined: the stored one stays. */
function secretForMove(
  { channel }: SubscriptionRow,
  { target }: SubscriptionFields,
  before: SubscriptionRow["target"],
  wanted: string | null | undefined,
): string | undefined {
  const isGiven = wanted != null && wanted !== "";
  if (channel === "webhook" && target["url"] !== before["url"]) {
    const message =
      "is missing: target.url has changed, and the stored secret is never sent to another address; send it, or a new one, in the same request";
    refuseFaults(isGiven ? [] : [{ path: "/secret", message }]);
    return chooseSecret(wanted);
  }
  const message =
    channel === "webhook"
      ? "can only be given here together with another target.url; use POST …/rotate to change it"
      : `is for webhooks; the channel of this subscription is ${channel}`;
  refuseFaults(isGiven ? [{ path: "/secret", message }] : []);
  return undefined;
}

/** @returns the new secret in clear, which is not shown again */
export async function rotateSubscriptionSecret(
  tx: Transaction,
  { teamId, keyring }: SubscriptionScope,
  ref: string,
  wanted: string | null | undefined,
): Promise<{ subscription: SubscriptionRow; secret: string }> {
  const { id, channel } = await holdSubscription(tx, teamId, ref);
  if (channel !== "webhook")
    refuseFaults([{ path: "/secret", message: `is for webhooks; the channel of this subscription is ${channel}` }]);
  const secret = chooseSecret(wanted);
  await rotateSecret(tx, teamId, id, keyring.sealText(secret, subscriptionSecretPlace(id)), overlapMs);
  return { subscription: await requireSubscription(tx, teamId, id), secret };
}

function chooseSecret(wanted: string | null | undefined): string {
  if (wanted == null || wanted === "") return `whsec_${randomBytes(32).toString("base64")}`;
  const message = webhookSecretFault(wanted);
  refuseFaults(message === undefined ? [] : [{ path: "/secret", message }]);
  return wanted;
}

async function requireFreeName(tx: Transaction, teamId: string | null, name: string): Promise<void> {
  if (reservedNames.includes(name.toLowerCase())) throw new AppError("SUBSCRIPTION_NON_UNIQUE_NAME", [name, "reserved"]);
  if (await findSubscription(tx, teamId, name)) throw new AppError("SUBSCRIPTION_NON_UNIQUE_NAME", [name, "taken"]);
}

/** Queues an event for this subscription alone, regardless of its filters. It is then delivered like any other. */
export async function testSubscription(
  tx: Transaction,
  team: { id: string; name: string } | null,
  ref: string,
): Promise<{ delivery: DeliveryRow; subscription: { id: string; name: string } }> {
  const subscription = await holdSubscription(tx, team?.id ?? null, ref);
  if (!subscription.isActive) throw new AppError("SUBSCRIPTION_NOT_ACTIVE", [subscription.name]);
  const path = team === null ? "/api/v2/subscription" : `/api/v2/team/${team.id}/subscription`;
  const event = await insertOwnEvent(tx, {
    kind: "subscription",
    teamId: team?.id ?? null,
    teamName: team?.name ?? null,
    objectId: subscription.id,
    status: "test",
    data: { id: subscription.id, name: subscription.name, link: `${path}/${subscription.id}` },
  });
  const { id, channel } = subscription;
  await insertDeliveries(tx, [{ event, channel, subscriptionId: id, target: null, receiverId: id }]);
  const [delivery] = await listDeliveries(tx, id, undefined, { limit: 1, offset: 0 });
  if (!delivery) throw new Error("the delivery of the test was not written");
  return { delivery, subscription };
}
