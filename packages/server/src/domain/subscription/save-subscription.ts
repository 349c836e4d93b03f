import { randomBytes } from "node:crypto";
import { type SubscriptionInput, subscriptionLimits } from "@millrace/contract/subscription.ts";
import { AppError } from "../../base/app-error.ts";
import type { Keyring } from "../../base/keyring.ts";
import { webhookSecretFault } from "../../core/delivery/webhook-fault.ts";
import { subscriptionSecretPlace } from "../../core/sealed-places.ts";
import type { Transaction } from "../../store/database.ts";
import {
  countSubscriptions,
  findSubscription,
  insertSubscription,
  lockSubscriptionScope,
  newSubscriptionId,
  rotateSecret,
  type SubscriptionRow,
  updateSubscription,
} from "../../store/subscriptions.ts";
import { refuseFaults } from "../workflow/refuse-faults.ts";
import { holdSubscription, requireSubscription } from "./require-subscription.ts";
import { readSubscriptionFields } from "./subscription-fields.ts";

/** How long the secret that was there stays valid beside a new one. */
const overlapMs = 24 * 3600 * 1000;
/** Paths have it where a name would be. */
const reservedNames = ["query"];

export interface SubscriptionScope {
  /** Null: the instance. */
  teamId: string | null;
  keyring: Keyring;
  /** Who does it. */
  principalId: string;
}

/** @returns the subscription, and its secret in clear: this once */
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
  await insertSubscription(tx, { id, teamId, secret: sealed, createdBy: principalId }, fields);
  return { subscription: await requireSubscription(tx, teamId, id), secret };
}

/** @param isWhole what the body leaves out becomes the default; otherwise it stays */
export async function changeSubscription(
  tx: Transaction,
  teamId: string | null,
  ref: string,
  body: SubscriptionInput,
  isWhole: boolean,
): Promise<{ before: SubscriptionRow; after: SubscriptionRow }> {
  await lockSubscriptionScope(tx, teamId);
  const before = await holdSubscription(tx, teamId, ref);
  const fields = await readSubscriptionFields(tx, teamId, body, isWhole ? { channel: before.channel } : before);
  if (fields.name !== before.name) await requireFreeName(tx, teamId, fields.name);
  await updateSubscription(tx, teamId, before.id, fields);
  return { before, after: await requireSubscription(tx, teamId, before.id) };
}

/** @returns the new secret in clear: this once */
export async function rotateSubscriptionSecret(
  tx: Transaction,
  { teamId, keyring }: SubscriptionScope,
  ref: string,
  wanted: string | null | undefined,
): Promise<{ subscription: SubscriptionRow; secret: string }> {
  const { id, channel } = await holdSubscription(tx, teamId, ref);
  if (channel !== "webhook") refuseFaults([{ path: "/secret", message: `is for webhooks; this subscription goes out by ${channel}` }]);
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
