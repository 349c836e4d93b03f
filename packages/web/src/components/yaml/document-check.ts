/** What is known to be wrong with a document. */
export interface DocumentCheck {
  faults: readonly { path: string; message: string; line?: number; column?: number }[];
  warnings: readonly string[];
  /** The service has not said yet what it thinks of the text as it is. */
  isPending: boolean;
}
