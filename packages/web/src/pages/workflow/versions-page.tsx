export function VersionsPage() {
  return <p>VersionsPage</p>;
}
