export function ManagePage() {
  return <p>ManagePage</p>;
}
