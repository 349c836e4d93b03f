import { AppError } from "../../base/error/app-error.ts";
import { escapeChatText } from "../../core/chat/chat-text.ts";
import { ChatError } from "../../integrations/chat/chat-error.ts";
import { ChatRefusal } from "./chat-refusal.ts";

/** What the person in the chat is told of an error; undefined for what is a bug of ours, and is the log's. */
export function failureText(error: unknown): string | undefined {
  if (error instanceof AppError || error instanceof ChatRefusal) return escapeChatText(error.message, 2000);
  return error instanceof ChatError ? escapeChatText(`The chat platform can't be used now: ${error.message}`, 2000) : undefined;
}
