export function ConfigurePage() {
  return <p>ConfigurePage</p>;
}
