import Type, { type Static } from "typebox";
import { errors } from "./errors.ts";
import { named, ref } from "./schema.ts";

/** One problem at one place of the request. */
export interface ErrorItem extends Static<typeof errorItem> {}
export const errorItem = named(
  "ErrorItem",
  Type.Object({
    path: Type.String({ description: "Where: a JSON pointer into the body, the name of a parameter, or the index of an element" }),
    message: Type.String({ description: "What is wrong, with which value, and what would be valid" }),
  }),
);

/** The body of every response that is not a success. */
export interface ErrorBody extends Static<typeof errorBody> {}
export const errorBody = named(
  "ErrorBody",
  Type.Object(
    {
      timestamp: Type.String({ format: "date-time" }),
      code: Type.Integer({ description: "Stable number of this kind of error" }),
      reason: Type.String({ description: "Stable word that programs can rely on", examples: Object.keys(errors).slice(0, 3) }),
      message: Type.String({ description: "For people: what was wrong, with which value, and what would be valid" }),
      status: Type.String({ pattern: "^[1-5][0-9]{2} [A-Z_]+$", examples: ["404 NOT_FOUND"] }),
      cause: Type.Null(),
      requestId: Type.String({ description: "The same as in the header x-request-id and in the log" }),
      errors: Type.Optional(Type.Array(ref(errorItem))),
    },
    {
      examples: [
        {
          timestamp: "2026-03-01T12:00:00.000Z",
          code: 1101,
          reason: "TEAM_INVALID_REF",
          message: "There is no team hawks",
          status: "404 NOT_FOUND",
          cause: null,
          requestId: "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e",
        },
      ],
    },
  ),
);
