export function ActivityPage() {
  return <p>ActivityPage</p>;
}
