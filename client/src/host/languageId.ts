/** The identifier of APL as a language of VS Code. */
export const languageId = 'axiom-apl';
