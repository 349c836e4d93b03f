export function AdminPage() {
  return <p>AdminPage</p>;
}
