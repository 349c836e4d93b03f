export function IntegrationsPage() {
  return <p>IntegrationsPage</p>;
}
