/** Where a webhook goes, and what signs it. */
export interface WebhookTarget {
  url: string;
  /** In clear, `whsec_…`; one, or two while a rotation is under way, the newest first. */
  secrets: string[];
}
