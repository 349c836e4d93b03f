/** `fetch` for calls of the chat and code-hosting platforms, limited to allowed addresses (integrations/outbound/outbound-http.ts). */
export type PlatformFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;
