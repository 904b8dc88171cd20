/** APL's language identifier in VS Code. */
export const languageId = 'axiom-apl';
