export function WorkflowsPage() {
  return <p>WorkflowsPage</p>;
}
