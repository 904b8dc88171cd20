// Text of others in notifications and input boxes. VS Code makes links of `[text](command:…)` there and runs the
// command on a click, while names and error texts come from services and colleagues.

const link = /\]\((?=(?:https?:\/\/|command:|file:))/gi;

/** The text without links: what would be one is shown as it is written, with a space. */
export function withoutLinks(text: string): string {
  return text.replace(link, '] (');
}
