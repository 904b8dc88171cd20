/** Returns the message of a caught value. */
export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
