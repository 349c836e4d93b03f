export function TemplatesPage() {
  return <p>TemplatesPage</p>;
}
