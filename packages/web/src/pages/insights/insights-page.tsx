export function InsightsPage() {
  return <p>InsightsPage</p>;
}
