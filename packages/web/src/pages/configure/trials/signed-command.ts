/** Signs by Standard Webhooks; the secret stands in a variable. */
export function signedCommand(url: string): string {
  return `BODY='{"message": "A test"}'
ID=msg-$(date +%s)
TIME=$(date +%s)
KEY=$(printf %s "\${MILLRACE_WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -tx1 | tr -d ' \\n')
SIGNATURE=$(printf %s "$ID.$TIME.$BODY" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | base64)
curl -sS --fail-with-body '${url}' \\
  -H 'Content-Type: application/json' \\
  -H "webhook-id: $ID" -H "webhook-timestamp: $TIME" -H "webhook-signature: v1,$SIGNATURE" \\
  -d "$BODY"`;
}
