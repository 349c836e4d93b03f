import Type from "typebox";
import { named, ref } from "./schema.ts";

/** Whether a page is sorted: three booleans and no property names, as the published interface has it. */
export interface PageSort {
  sorted: boolean;
  unsorted: boolean;
  empty: boolean;
}
export const pageSort = named(
  "PageSort",
  Type.Object({
    sorted: Type.Boolean(),
    unsorted: Type.Boolean(),
    empty: Type.Boolean({ description: "True if there is no sort order" }),
  }),
);

/** Where a page lies in the whole result. */
export interface PageableObject {
  pageNumber: number;
  pageSize: number;
  offset: number;
  paged: boolean;
  unpaged: boolean;
  sort: PageSort;
}
export const pageableObject = named(
  "PageableObject",
  Type.Object({
    pageNumber: Type.Integer({ minimum: 0 }),
    pageSize: Type.Integer({ minimum: 0 }),
    offset: Type.Integer({ minimum: 0, description: "Items before this page" }),
    paged: Type.Boolean(),
    unpaged: Type.Boolean(),
    sort: ref<PageSort>("PageSort"),
  }),
);

/** The envelope of every query endpoint; `page(id, item)` of schema.ts makes its schema. */
export interface Page<Item> {
  content: Item[];
  number: number;
  size: number;
  numberOfElements: number;
  totalElements: number;
  totalPages: number;
  first: boolean;
  last: boolean;
  empty: boolean;
  sort: PageSort;
  pageable: PageableObject;
}
