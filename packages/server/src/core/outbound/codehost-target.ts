/** A run whose course is shown at a commit of the codehost. */
export interface CodehostReport {
  teamId: string;
  runId: string;
  /** The platform's number of the installation. */
  installationRef: string;
  owner: string;
  repository: string;
  sha: string;
  /** What it is called at the commit. */
  name: string;
  /** The platform's number of the check run; null until there is one. */
  checkRunId: number | null;
}

/** Where that is, and as whom it is shown. The app's key is a secret. */
export interface CodehostTarget extends CodehostReport {
  app: { apiUrl: string; appId: string; pem: string };
}
