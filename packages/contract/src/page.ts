import Type, { type Static, type TObject, type TProperties, type TSchema } from "typebox";
import { type Named, named, ref } from "./schema.ts";

/** Whether a page is sorted: three booleans without property names, as in the published interface. */
export interface PageSort extends Static<typeof pageSort> {}
export const pageSort = named(
  "PageSort",
  Type.Object({
    sorted: Type.Boolean(),
    unsorted: Type.Boolean(),
    empty: Type.Boolean({ description: "True if there is no sort order" }),
  }),
);

/** The position of a page in the whole result. */
export interface PageableObject extends Static<typeof pageableObject> {}
export const pageableObject = named(
  "PageableObject",
  Type.Object({
    pageNumber: Type.Integer({ minimum: 0 }),
    pageSize: Type.Integer({ minimum: 0 }),
    offset: Type.Integer({ minimum: 0, description: "Items before this page" }),
    paged: Type.Boolean(),
    unpaged: Type.Boolean(),
    sort: ref(pageSort),
  }),
);

const envelopeMembers = {
  number: Type.Integer({ minimum: 0, description: "Index of this page, zero-based" }),
  size: Type.Integer({ description: "The requested limit" }),
  numberOfElements: Type.Integer(),
  totalElements: Type.Integer({ description: "Matching items on all pages" }),
  totalPages: Type.Integer(),
  first: Type.Boolean(),
  last: Type.Boolean(),
  empty: Type.Boolean(),
  sort: ref(pageSort),
  pageable: ref(pageableObject),
};

/** The envelope of every query endpoint. */
export interface Page<Item> extends Static<TObject<typeof envelopeMembers>> {
  content: Item[];
}

/** Its schema, as in reference-api 1.1. @param more additional members of our own */
export function page<T extends TSchema, More extends TProperties = Record<never, never>>(id: string, item: Named<T>, more?: More) {
  return named(id, Type.Object({ content: Type.Array(ref(item)), ...envelopeMembers, ...(more ?? ({} as More)) }));
}
