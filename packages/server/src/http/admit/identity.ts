import { timingSafeEqual } from "node:crypto";
import type { Principal, TeamScope } from "../../api/endpoint.ts";
import { BoundedCache } from "../../base/process/bounded-cache.ts";
import { hashToken, isTokenText } from "../../base/secret/token-text.ts";
import { insertAudit } from "../../store/audit/audit.ts";
import type { Database, Queryable, Transaction } from "../../store/database/database.ts";
import { transaction } from "../../store/database/transaction.ts";
import { findPerson, letVisitorIn, lockRights, type Visitor, type VisitorRow } from "../../store/identity/sign-ins.ts";
import { findCredential } from "../../store/identity/tokens.ts";
import { getInstance } from "../../store/settings/instance.ts";
import { findTeamReference } from "../../store/team/directory.ts";
import { adminTokenPrincipal, toPrincipal, toVisitorPrincipal } from "./principal.ts";

/**
 * Finds the caller, and the team that the path names, with one statement each. Results are cached for two seconds. A change made through
 * this process takes effect at once (`forget`). One made through another process (a token revoked, a role removed, a team deleted) takes
 * effect after at most `freshMs`, the limit that docs/api-design.md documents. Writes use the rights that their transaction sees
 * (`within`). Otherwise a removed member could use these two seconds to add themselves again.
 */
export interface Identity {
  /**
   * Undefined if the credential isn't ours, has expired, or belongs to something that was deleted.
   * @param maxAgeMs of a cached result, at most two seconds
   */
  principalOf(token: string, maxAgeMs?: number): Promise<Principal | undefined>;
  /** A user whom a trusted proxy names, created on the first visit. Undefined if the user is not active. */
  principalOfVisitor(visitor: Visitor, requestId: string, maxAgeMs?: number): Promise<Principal | undefined>;
  /** By name or id; deleted teams are not found. Doesn't check the rights of the caller. */
  teamOf(nameOrId: string): Promise<TeamScope | undefined>;
  isActivated(): Promise<boolean>;
  /** Call after the commit of anything that changes tokens, users, members or teams. */
  forget(): void;
  /** Increases with each `forget`. */
  revision(): number;
  /** The same, as that transaction sees it. Nothing is cached. */
  within(tx: Transaction): Identity;
}

const freshMs = 2000;
const maxEntries = 10_000;

/** `nowMs` is a monotonic clock, which tests replace. `onForget` is called when rights may have changed. */
export function createIdentity(
  sql: Database,
  adminToken: string | undefined,
  { nowMs = () => performance.now(), onForget = () => {} }: { nowMs?: () => number; onForget?: () => void } = {},
): Identity {
  const adminHash = adminToken === undefined ? undefined : hashToken(adminToken);
  const principals = createCache<Principal>("principals", nowMs);
  const visitors = createCache<Principal>("visitors", nowMs);
  const teams = createCache<TeamScope>("teams", nowMs);
  let isActivated = false;
  let revision = 0;
  const findPrincipal = async (token: string, find: (hash: Buffer) => Promise<Principal | undefined>) => {
    const hash = hashToken(token);
    if (adminHash !== undefined && timingSafeEqual(hash, adminHash)) return adminTokenPrincipal;
    return isTokenText(token) ? find(hash) : undefined;
  };
  return {
    principalOf: (token, maxAgeMs) =>
      findPrincipal(token, (hash) => principals.get(hash.toString("base64"), () => loadPrincipal(sql, hash), maxAgeMs)),
    principalOfVisitor: (visitor, requestId, maxAgeMs) =>
      visitors.get(visitor.email, () => findVisitorPrincipal(sql, visitor, requestId), maxAgeMs),
    teamOf: (nameOrId) => teams.get(nameOrId.toLowerCase(), () => findTeamReference(sql, nameOrId)),
    async isActivated() {
      isActivated ||= (await getInstance(sql)).activatedAt !== null;
      return isActivated;
    },
    forget() {
      revision += 1;
      principals.clear();
      visitors.clear();
      teams.clear();
      onForget();
    },
    revision: () => revision,
    within(tx) {
      return {
        ...this,
        principalOf: (token) => findPrincipal(token, (hash) => loadPrincipal(tx, hash)),
        principalOfVisitor: async ({ email }) => {
          const person = await findPerson(tx, email);
          return person?.status === "active" ? toVisitorPrincipal(person) : undefined;
        },
        teamOf: (nameOrId) => findTeamReference(tx, nameOrId),
      };
    },
  };
}

async function loadPrincipal(db: Queryable, hash: Buffer): Promise<Principal | undefined> {
  const row = await findCredential(db, hash);
  return row === undefined ? undefined : toPrincipal(row);
}

/**
 * Only what was found is cached, so that a new token or team works at once. Concurrent calls for the same key share one load. A load that
 * began before `clear` is not cached, because it may have read the state before the change.
 */
function createCache<Value>(name: string, nowMs: () => number) {
  const entries = new BoundedCache<{ value: Promise<Value | undefined>; readAt: number }>(name, { maxEntries });
  return {
    get(key: string, load: () => Promise<Value | undefined>, maxAgeMs = freshMs): Promise<Value | undefined> {
      const now = nowMs();
      const known = entries.get(key, ({ readAt }) => now - readAt < Math.min(maxAgeMs, freshMs));
      if (known !== undefined) return known.value;
      const mine = { value: load(), readAt: now };
      entries.set(key, mine);
      const drop = () => entries.peek(key) === mine && entries.delete(key);
      mine.value.then((found) => found === undefined && drop(), drop);
      return mine.value;
    },
    clear: () => entries.clear(),
  };
}

/**
 * The user whom a trusted proxy names, with their current permissions. The first visit creates the user, or activates an invited one. Later
 * visits are recorded once an hour, so that most requests write nothing. A user whom the configuration makes an administrator becomes one
 * at once. Undefined for a deactivated user.
 */
async function findVisitorPrincipal(sql: Database, visitor: Visitor, requestId: string): Promise<Principal | undefined> {
  const known = await findPerson(sql, visitor.email);
  if (known !== undefined && known.status !== "active" && !known.isInvited) return undefined;
  const isToBeRaised = visitor.isAdministrator && known?.userType !== "admin";
  if (known !== undefined && known.status === "active" && known.isRecent && !isToBeRaised) return toVisitorPrincipal(known);
  await transaction(sql, (tx) => activateVisitor(tx, visitor, requestId));
  const person = await findPerson(sql, visitor.email);
  return person?.status === "active" ? toVisitorPrincipal(person) : undefined;
}

async function activateVisitor(tx: Transaction, visitor: Visitor, requestId: string): Promise<void> {
  const before = await lockRights(tx, visitor.email);
  const row = await letVisitorIn(tx, visitor);
  if (before?.type === row.type && before.status === row.status) return;
  await insertAudit(tx, visitorAuditRecord(row, before, requestId));
}

/** Created, activated, or promoted: rights never change without an audit record. */
function visitorAuditRecord({ id, email, type, status }: VisitorRow, before: object | undefined, requestId: string) {
  const user = `user:${id}`;
  return {
    teamId: null,
    principalKind: "session",
    principalId: user,
    principalName: email,
    tokenId: null,
    action: "user/write",
    objectKind: "user",
    objectId: id,
    objectName: email,
    requestId,
    before,
    after: { email, type, status, via: "proxy" },
  };
}
