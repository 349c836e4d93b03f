import { expect, test } from "vitest";
import { maskWebhookAddress, secretsOfWebhookAddress } from "./webhook-target.ts";

test.each([
  ["https://example.com/hooks/millrace", "https://example.com/hooks/millrace"],
  ["https://example.com", "https://example.com"],
  ["http://127.0.0.1:8080/a/b-c/v2", "http://127.0.0.1:8080/a/b-c/v2"],
  ["https://hooks.chat.example/services/T0123ABCD/B0456EFGH/aBcDeFgHiJkLmNoP", "https://hooks.chat.example/services/***/***/***"],
  ["https://chat.example/api/webhooks/123456789012/s3cr3t-t0ken_here", "https://chat.example/api/webhooks/***/***"],
  ["https://api.example/bot123456:AAH-xyz/sendMessage", "https://api.example/***/***"],
  ["https://example.com/hooks?token=abc&team=hawks", "https://example.com/hooks?token=***&team=***"],
  ["https://example.com/hooks?s3cret", "https://example.com/hooks?***"],
  ["https://someone:word@example.com/a", "https://***@example.com/a"],
  ["https://example.com/abcdefghijklmnopqrstuvwxyz", "https://example.com/***"],
  ["https://example.com/%41bcdefg1", "https://example.com/***"],
])("%s is shown as %s", (address, shown) => {
  expect(maskWebhookAddress(address)).toBe(shown);
  for (const secret of secretsOfWebhookAddress(address)) expect(shown).not.toContain(secret);
});

test("both spellings of a secret are masked elsewhere", () => {
  expect(secretsOfWebhookAddress("https://example.com/?token=a%2Fb%2Bc")).toEqual(["a%2Fb%2Bc", "a/b+c"]);
});
