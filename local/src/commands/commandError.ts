/** A command ends with this; the message is for the person who typed it, in a sentence or two. */
export class CommandError extends Error {}

/** The exit status of a command. */
export const exits = { done: 0, trouble: 2, cancelled: 130 } as const;
