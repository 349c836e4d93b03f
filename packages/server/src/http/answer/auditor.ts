import type { FastifyRequest } from "fastify";
import type { Endpoint } from "../../api/endpoint.ts";
import { type AuditedObject, type AuditRecord, insertAudit } from "../../store/audit/audit.ts";
import type { Queryable } from "../../store/database/database.ts";
import { hasWriteTransaction } from "../admit/check-origin.ts";

export interface Auditor {
  /** For the handler: names the object of the request. */
  audit(object: AuditedObject): void;
  /**
   * The record itself, for a handler that writes it in the same statement as the change. `write` then writes only what was named with
   * `audit`.
   */
  auditRecord(object: AuditedObject): AuditRecord;
  /** The request changed nothing after all, so no record is written for its path. */
  auditNothing(): void;
  /** Writes what was named. A write endpoint that named nothing is recorded by its path. */
  write(db: Queryable): Promise<void>;
}

export function createAuditor(endpoint: Endpoint, request: FastifyRequest): Auditor {
  const objects: AuditedObject[] = [];
  let isTakenOver = false;
  return {
    audit: (object) => void objects.push(object),
    auditRecord(object) {
      isTakenOver = true;
      return recordOf(endpoint, request, object);
    },
    auditNothing() {
      isTakenOver = true;
    },
    async write(db) {
      if (objects.length === 0 && !isTakenOver && hasWriteTransaction(endpoint)) objects.push(objectOfPath(endpoint, request));
      for (const object of objects) await insertAudit(db, recordOf(endpoint, request, object));
    },
  };
}

function recordOf(endpoint: Endpoint, request: FastifyRequest, object: AuditedObject): AuditRecord {
  const { principal, team } = request.caller!;
  return {
    teamId: team?.id ?? object.teamId ?? (object.kind === "team" ? (object.id ?? null) : null),
    principalKind: principal.kind,
    principalId: principal.id,
    principalName: principal.name,
    tokenId: principal.tokenId ?? null,
    action: object.action ?? actionOf(endpoint),
    objectKind: object.kind,
    objectId: object.id ?? null,
    objectName: object.name ?? null,
    requestId: request.id,
    before: object.before,
    after: object.after,
  };
}

const verbs: Record<string, string> = { POST: "write", PUT: "write", PATCH: "write", DELETE: "delete", GET: "read" };

/** The permission that the endpoint declares. If it declares none: resource and verb in the same form. */
function actionOf(endpoint: Endpoint): string {
  if (endpoint.permission.includes("/")) return endpoint.permission;
  return `${resourceOf(endpoint)}/${verbs[endpoint.method]}`;
}

function objectOfPath(endpoint: Endpoint, request: FastifyRequest): AuditedObject {
  const named = Object.entries(request.params as Record<string, string>).filter(([name]) => name !== "team");
  const [kind, name] = named.at(-1) ?? [resourceOf(endpoint), request.caller?.team?.name];
  return name === undefined ? { kind } : { kind, name };
}

/** The first segment of the path that is not a team. */
function resourceOf(endpoint: Endpoint): string {
  const words = endpoint.path.replace(/^\/api\/v2\//, "").split("/");
  return (words[0] === "team" && words[2] !== undefined && !words[2].startsWith(":") ? words[2] : words[0]) ?? "instance";
}
