import {
  addressRange,
  anyText,
  domainName,
  emailAddress,
  headerName,
  issuerUrl,
  listOf,
  oneOf,
  publicUrl,
  trueOrFalse,
  wholeNumber,
} from "./parse-value.ts";
import { optional, required } from "./setting.ts";

/** How people sign in: passwords and sessions, an identity provider, or a proxy that authenticates them. */
export const signInSettings = {
  auth: required(
    "MILLRACE_AUTH",
    "on",
    "If `off`, everyone on this machine is an administrator. Only on a loopback address.",
    oneOf("on", "off"),
  ),
  publicUrl: optional(
    "MILLRACE_PUBLIC_URL",
    "URL at which browsers and clients reach the service, such as `https://millrace.example.com`. With `https`, session cookies are sent only over encrypted connections.",
    publicUrl,
    "`http://` and the address that it listens on",
  ),
  sessionHours: required("MILLRACE_SESSION_HOURS", "24", "Maximum lifetime of a session after signing in.", wholeNumber(1, 8_760)),
  sessionIdleMinutes: required(
    "MILLRACE_SESSION_IDLE_MINUTES",
    "480",
    "A session also ends when it is not used for this long.",
    wholeNumber(5, 525_600),
  ),
  adminEmails: required(
    "MILLRACE_ADMIN_EMAILS",
    "",
    "Email addresses of users who become administrators when they sign in through OpenID Connect or a trusted proxy.",
    listOf(emailAddress, 0),
    "none",
  ),
  oidcIssuer: optional(
    "MILLRACE_OIDC_ISSUER",
    "Issuer URL of an OpenID Connect identity provider; see [Sign-in](sign-in.md). Requires `MILLRACE_OIDC_CLIENT_ID` and `MILLRACE_PUBLIC_URL`.",
    issuerUrl,
    "none",
  ),
  oidcClientId: optional("MILLRACE_OIDC_CLIENT_ID", "Client ID of this service at the identity provider.", anyText, "none"),
  oidcClientSecret: optional(
    "MILLRACE_OIDC_CLIENT_SECRET",
    "Client secret at the identity provider. If not set, this is a public client, protected by PKCE alone.",
    anyText,
    "none",
  ),
  oidcScopes: required(
    "MILLRACE_OIDC_SCOPES",
    "openid email profile",
    "Requested scopes, separated by spaces. `openid` and `email` are required.",
    anyText,
  ),
  oidcDomains: required(
    "MILLRACE_OIDC_DOMAINS",
    "",
    "Only users with an email address in these domains can sign in. Required where anyone can create an account at the issuer.",
    listOf(domainName, 0),
    "all",
  ),
  oidcTrustEmails: required(
    "MILLRACE_OIDC_TRUST_EMAILS",
    "false",
    "If `true`, an address counts as verified when the issuer doesn't say (no `email_verified`). Only for an issuer whose users can't choose their addresses, such as a single tenant of Entra ID. Never makes anyone an administrator.",
    trueOrFalse,
  ),
  trustedProxy: required(
    "MILLRACE_TRUSTED_PROXY",
    "",
    "IP addresses or ranges (`10.0.0.0/8`) of proxies in front of the service whose `x-forwarded-for` is trusted. Rate limits use the address in it.",
    listOf(addressRange, 0),
    "none",
  ),
  proxyEmailHeader: optional(
    "MILLRACE_PROXY_EMAIL_HEADER",
    "Header in which a trusted proxy sends the signed-in user, for example `x-forwarded-email`. The proxy must remove this header from client requests.",
    headerName,
    "none",
  ),
  proxyNameHeader: required("MILLRACE_PROXY_NAME_HEADER", "x-forwarded-user", "Header with the name of that user.", headerName),
};
