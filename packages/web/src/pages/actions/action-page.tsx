export function ActionPage() {
  return <p>ActionPage</p>;
}
