/** Where the course of a run is shown, and as whom. The app's key is a secret. */
export interface CodehostTarget {
  app: { apiUrl: string; appId: string; pem: string };
  teamId: string;
  runId: string;
  /** The platform's number of the installation. */
  installationRef: string;
  owner: string;
  repository: string;
  sha: string;
  /** What it is called at the commit. */
  name: string;
  /** The platform's number of the check run, when there is one already. */
  checkRunId: number | null;
}
