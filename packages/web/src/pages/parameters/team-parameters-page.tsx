export function TeamParametersPage() {
  return <p>TeamParametersPage</p>;
}
