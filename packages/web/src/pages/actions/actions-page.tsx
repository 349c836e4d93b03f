export function ActionsPage() {
  return <p>ActionsPage</p>;
}
