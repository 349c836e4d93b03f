/** A container that another worker has begun. */
export interface BegunContainer {
  id: string;
  isStarted: boolean;
}
