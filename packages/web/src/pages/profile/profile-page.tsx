export function ProfilePage() {
  return <p>ProfilePage</p>;
}
