export function TemplatePage() {
  return <p>TemplatePage</p>;
}
