/** What only somebody in the chat can cause, in a sentence for him. */
export class ChatRefusal extends Error {}
