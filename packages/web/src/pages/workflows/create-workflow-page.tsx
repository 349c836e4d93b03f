export function CreateWorkflowPage() {
  return <p>CreateWorkflowPage</p>;
}
