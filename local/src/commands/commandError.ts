/** Thrown to end a command with a message of one or two sentences for the user. */
export class CommandError extends Error {}

/** The exit status of a command. */
export const exits = { done: 0, trouble: 2, cancelled: 130 } as const;
