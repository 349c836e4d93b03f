export function SchedulesPage() {
  return <p>SchedulesPage</p>;
}
