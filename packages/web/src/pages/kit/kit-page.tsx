export function KitPage() {
  return <p>KitPage</p>;
}
