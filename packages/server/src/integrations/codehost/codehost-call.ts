/** One request to the codehost. */
export interface CodehostCall {
  /** `GET /app/installations/{installation_id}` */
  route: string;
  parameters?: Record<string, unknown>;
  /** Doing it twice does no harm: it is tried again after a broken connection or a 5xx. */
  isRepeatable: boolean;
  /** What the answer 404 means: the installation is gone, or something else is not there. */
  notFound: "installation" | "other";
  signal?: AbortSignal | undefined;
}
