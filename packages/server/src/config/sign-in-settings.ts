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

/** How people are known: passwords and sessions, an identity provider, a proxy that has signed them in. */
export const signInSettings = {
  auth: required(
    "MILLRACE_AUTH",
    "on",
    "`off`: everybody on this machine is an administrator. Only on a loopback address.",
    oneOf("on", "off"),
  ),
  publicUrl: optional(
    "MILLRACE_PUBLIC_URL",
    "Under which browsers and callers reach the service, such as `https://millrace.example.com`. With `https` the cookies of sessions are sent encrypted only.",
    publicUrl,
    "`http://` and the address it listens on",
  ),
  sessionHours: required(
    "MILLRACE_SESSION_HOURS",
    "24",
    "A session ends so long after signing in, whatever is done in it.",
    wholeNumber(1, 8_760),
  ),
  sessionIdleMinutes: required(
    "MILLRACE_SESSION_IDLE_MINUTES",
    "480",
    "A session ends earlier when it is not used for so long.",
    wholeNumber(5, 525_600),
  ),
  adminEmails: required(
    "MILLRACE_ADMIN_EMAILS",
    "",
    "E-mail addresses of people who are made administrators when they sign in by OpenID Connect or a trusted proxy.",
    listOf(emailAddress, 0),
    "none",
  ),
  oidcIssuer: optional(
    "MILLRACE_OIDC_ISSUER",
    "Issuer of an identity provider that speaks OpenID Connect; see [Sign-in](sign-in.md). Needs `MILLRACE_OIDC_CLIENT_ID` and `MILLRACE_PUBLIC_URL`.",
    issuerUrl,
    "none",
  ),
  oidcClientId: optional("MILLRACE_OIDC_CLIENT_ID", "Id of this service at the identity provider.", anyText, "none"),
  oidcClientSecret: optional(
    "MILLRACE_OIDC_CLIENT_SECRET",
    "Its secret there. Without one it is a public client, which PKCE alone protects.",
    anyText,
    "none",
  ),
  oidcScopes: required(
    "MILLRACE_OIDC_SCOPES",
    "openid email profile",
    "What is asked for, with blanks between. `openid` and `email` are needed.",
    anyText,
  ),
  oidcDomains: required(
    "MILLRACE_OIDC_DOMAINS",
    "",
    "Only people with e-mail addresses of these domains are let in. Needed where anybody can have an account at the issuer.",
    listOf(domainName, 0),
    "all",
  ),
  oidcTrustEmails: required(
    "MILLRACE_OIDC_TRUST_EMAILS",
    "false",
    "`true`: an address counts as verified when the issuer says nothing about it (no `email_verified`). Only for an issuer whose people can't choose their addresses, such as one tenant of Entra ID. It makes nobody an administrator.",
    trueOrFalse,
  ),
  trustedProxy: required(
    "MILLRACE_TRUSTED_PROXY",
    "",
    "IP addresses or ranges (`10.0.0.0/8`) of proxies in front of the service, whose `x-forwarded-for` is believed. Rate limits count by the address that it names.",
    listOf(addressRange, 0),
    "none",
  ),
  proxyEmailHeader: optional(
    "MILLRACE_PROXY_EMAIL_HEADER",
    "Header in which such a proxy says who has signed in there, for example `x-forwarded-email`. It must remove the header where clients send it.",
    headerName,
    "none",
  ),
  proxyNameHeader: required("MILLRACE_PROXY_NAME_HEADER", "x-forwarded-user", "Header with that person's name.", headerName),
};
