/** One of many that the same is done to. */
export interface BulkThing {
  id: string;
  name: string;
}
