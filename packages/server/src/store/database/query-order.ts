/** The page and the order of a list that is paged by offset. */
export interface QueryOrder {
  limit: number;
  offset: number;
  isDescending: boolean;
  /** A member name of the API; an unknown one counts as the default. */
  sort: string;
}
