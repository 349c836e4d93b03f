export function GlobalTasksPage() {
  return <p>GlobalTasksPage</p>;
}
export function TeamTasksPage() {
  return <p>TeamTasksPage</p>;
}
