import { type DecisionRecord, decisionCheck, decisionHash, decisionPage, decisionRecord } from "@millrace/contract/action/decision.ts";
import { ref } from "@millrace/contract/schema.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { isId } from "../../base/text/uuid.ts";
import { type ChainPlace, chainStart, textOfTime } from "../../core/action/decision-chain.ts";
import { createValidator } from "../../core/document/validator.ts";
import { verifyDecisions as verify } from "../../domain/action/verify-decisions.ts";
import { type DecisionRow, queryDecisions as query } from "../../store/action/decisions.ts";
import { defineEndpoint } from "../endpoint.ts";
import { date, defaultedPageParameters, teamPath, toDateRange } from "../request-parameters.ts";
import { viewPage } from "../view-page.ts";

export const queryDecisions = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/decision/query",
  summary: "Read the records of decisions",
  description:
    "Each decided action leaves one, the newest first. They stay when runs are removed. What someone made of a record in the database that is none is left out. docs/decisions.md says what they prove.",
  tag: "Actions",
  permission: "action/read",
  transaction: "read",
  params: teamPath,
  query: Type.Object({
    ...defaultedPageParameters,
    action: Type.Optional(Type.String({ maxLength: 400, description: "ID of an action" })),
    fromDate: date("Decided at this time or later"),
    toDate: date("Decided at this time or earlier"),
  }),
  response: ref(decisionPage),
  async handle({ db, team, query: { limit, page, action, ...dates } }) {
    if (action !== undefined && !isId(action)) throw new AppError("ACTION_INVALID_REF", [action]);
    const filter = { actionId: action, ...toDateRange(dates) };
    const { rows, total } = await query(db, team.id, filter, { limit, offset: page * limit });
    return viewPage(rows.flatMap(viewDecision), { limit, page, total, sorted: true });
  },
});

const validator = createValidator(decisionRecord);

function parseRecord(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isDecisionRecord(view: unknown): view is DecisionRecord {
  return validator.faults(view).length === 0;
}

/** None if someone has changed it so that it is no longer a record of a decision: the check of the chain names it. */
function viewDecision({ record, hash }: DecisionRow): DecisionRecord[] {
  const view: unknown = { ...(parseRecord(record) as object | undefined), hash };
  return isDecisionRecord(view) ? [view] : [];
}

export const verifyDecisions = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/decision/verify",
  summary: "Check the chain of decisions",
  description:
    "Reads all records of the team and names those that were changed, added or removed, and votes that are no longer what the record says. " +
    "`number` and `hash` are those of a record that you have noted. Only for editors and owners of the team.",
  tag: "Actions",
  permission: "team/write",
  transaction: "read",
  params: teamPath,
  query: Type.Object({
    number: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: "Of a record that you have noted" })),
    hash: Type.Optional(decisionHash),
  }),
  response: ref(decisionCheck),
  async handle({ db, team, query: { number, hash } }) {
    if ((number === undefined) !== (hash === undefined)) {
      throw new AppError("QUERY_INVALID_FILTERS", [number === undefined ? "number" : "hash", "missing; give number and hash together"]);
    }
    const noted = number !== undefined && hash !== undefined ? { number, hash } : undefined;
    const { head, anchor, checked, problems, isCut } = await verify(db, team.id, noted);
    return {
      valid: problems.length === 0,
      checked,
      head: viewPlace(head),
      anchor: { ...viewPlace(anchor), date: anchor.at && textOfTime(anchor.at) },
      problems: problems.map(({ number: place, actionId, message }) => ({ number: Math.max(0, place), action: actionId, message })),
      truncated: isCut,
    };
  },
});

/** Whatever the database contains. */
function viewPlace({ number, hash }: ChainPlace): ChainPlace {
  return { number: Math.max(0, number), hash: /^[0-9a-f]{64}$/.test(hash) ? hash : chainStart.hash };
}
