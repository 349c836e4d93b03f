export function DesignPage() {
  return <p>DesignPage</p>;
}
