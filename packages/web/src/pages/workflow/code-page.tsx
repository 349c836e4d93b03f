export function CodePage() {
  return <p>CodePage</p>;
}
