/**
 * Something outside the program keeps it from starting: a setting, the database, the data folder.
 * The message is one line for the person who starts it: what is wrong, with which value, and what to do. It is shown without a stack.
 */
export class StartError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message.replace(/\s*\n\s*/g, " "), options);
    this.name = "StartError";
  }
}
