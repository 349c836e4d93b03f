/**
 * `fetch` for calls of the chat and code-hosting platforms, kept to addresses that may be called (integrations/outbound/outbound-http.ts).
 */
export type PlatformFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;
