import { TokenSection } from "../../components/tokens/token-section.tsx";

/** Tokens that act as the person who is signed in, with his roles as they are at the moment. */
export function OwnTokens() {
  return <TokenSection kind="user" />;
}
