import { parseCookie, stringifySetCookie } from "cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Cookies } from "../../api/endpoint.ts";

/**
 * The prefix of a secure cookie makes browsers bind it to exactly this host: neither a sibling host nor plain HTTP can replace it. The
 * prefix requires HTTPS.
 */
function fullName(name: string, isSecure: boolean): string {
  return isSecure ? `__Host-${name}` : name;
}

/** @param isSecure whether browsers reach the service over HTTPS */
export function readCookie(header: string | undefined, name: string, isSecure: boolean): string | undefined {
  if (header === undefined) return undefined;
  const value = parseCookie(header)[fullName(name, isSecure)];
  return value === "" ? undefined : value;
}

export function createCookies(request: FastifyRequest, reply: FastifyReply, isSecure: boolean): Cookies {
  const write = (name: string, value: string, maxAge: number) => {
    const options = { httpOnly: true, sameSite: "lax", path: "/", secure: isSecure, maxAge } as const;
    reply.header("set-cookie", stringifySetCookie(fullName(name, isSecure), value, options));
  };
  return {
    read: (name) => readCookie(request.headers.cookie, name, isSecure),
    write,
    remove: (name) => write(name, "", 0),
  };
}
