export function GlobalTaskPage() {
  return <p>GlobalTaskPage</p>;
}
export function TeamTaskPage() {
  return <p>TeamTaskPage</p>;
}
