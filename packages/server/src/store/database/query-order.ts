/** Which page of a list that is asked for by offset, in which order. */
export interface QueryOrder {
  limit: number;
  offset: number;
  isDescending: boolean;
  /** A member name of the wire; an unknown one counts as the default. */
  sort: string;
}
