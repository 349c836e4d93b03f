import type { Static } from "typebox";
import Type from "typebox";
import { named, stringEnum } from "../schema.ts";

/** Sign-in of a program that a person approves in a browser (RFC 8628). */

const code = Type.String({ minLength: 1, maxLength: 100, description: "As the program shows it; case and hyphens don't matter" });
const deviceCode = Type.String({ minLength: 1, maxLength: 100 });

export const deviceSignInRequest = named(
  "DeviceSignInRequest",
  Type.Object(
    { hostName: Type.String({ minLength: 1, maxLength: 200, description: "Where the program runs; shown to the person who approves" }) },
    { examples: [{ hostName: "laptop" }] },
  ),
);

export interface DeviceSignIn extends Static<typeof deviceSignIn> {}
export const deviceSignIn = named(
  "DeviceSignIn",
  Type.Object(
    {
      deviceCode: Type.String({ description: "Keep it secret: it gets the token" }),
      userCode: Type.String({ description: "The person enters it on the page" }),
      verificationUri: Type.String({
        description: "The page. Without `MILLRACE_PUBLIC_URL` only its path, at the address that you use",
      }),
      expirationDate: Type.String({ format: "date-time" }),
      intervalSeconds: Type.Integer({ description: "Ask for the token no more often than this" }),
    },
    {
      examples: [
        {
          deviceCode: "mrd_0000000000000000000000000000000000000000",
          userCode: "WDJB-MJHT",
          verificationUri: "https://millrace.example.com/sign-in/device",
          expirationDate: "2026-03-02T08:25:00.000Z",
          intervalSeconds: 5,
        },
      ],
    },
  ),
);

export const deviceTokenRequest = named(
  "DeviceTokenRequest",
  Type.Object({ deviceCode }, { examples: [{ deviceCode: "mrd_0000000000000000000000000000000000000000" }] }),
);

export interface DeviceToken extends Static<typeof deviceToken> {}
export const deviceToken = named(
  "DeviceToken",
  Type.Object(
    {
      status: stringEnum(["pending", "approved", "refused", "expired"], {
        description: "expired: too late, already fetched, or never begun here",
      }),
      token: Type.Unsafe<string | null>({ type: ["string", "null"], description: "Once approved. Shown only in this response" }),
      expirationDate: Type.Unsafe<string | null>({
        type: ["string", "null"],
        format: "date-time",
        description: "Of the token",
      }),
    },
    { examples: [{ status: "pending", token: null, expirationDate: null }] },
  ),
);

export interface PendingDevice extends Static<typeof pendingDevice> {}
export const pendingDevice = named(
  "PendingDevice",
  Type.Object(
    {
      hostName: Type.String({ description: "As the program gives it" }),
      userAgent: Type.Unsafe<string | null>({ type: ["string", "null"] }),
      address: Type.String({ description: "From where the program asks" }),
      creationDate: Type.String({ format: "date-time" }),
      expirationDate: Type.String({ format: "date-time" }),
    },
    {
      examples: [
        {
          hostName: "laptop",
          userAgent: "millrace-cli",
          address: "192.0.2.17",
          creationDate: "2026-03-02T08:15:00.000Z",
          expirationDate: "2026-03-02T08:25:00.000Z",
        },
      ],
    },
  ),
);

export const deviceDecision = named(
  "DeviceDecision",
  Type.Object(
    { userCode: code, decision: stringEnum(["approve", "refuse"]) },
    { examples: [{ userCode: "WDJB-MJHT", decision: "approve" }] },
  ),
);
