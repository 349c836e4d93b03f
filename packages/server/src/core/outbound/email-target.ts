/** An email that is ready to go: through which server, from whom and to whom. The password is in clear. */
export interface ReadyEmailTarget {
  server: {
    host: string;
    port: number;
    security: "none" | "starttls" | "tls";
    /** Undefined: without signing in. */
    credentials?: { user: string; password: string };
  };
  /** Address of the sender. */
  from: string;
  appName: string;
  /** At least one. */
  recipients: string[];
  subscription: { id: string; name: string; teamId: string | null };
}
