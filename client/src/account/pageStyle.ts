/** The Who Am I page's style sheet. */
export const pageStyle = `
:root {
  --line: var(--vscode-editorGroup-border, var(--vscode-panel-border, rgba(128, 128, 128, 0.35)));
  --dim: var(--vscode-descriptionForeground);
}
body {
  margin: 0;
  padding: 20px 24px 32px;
  color: var(--vscode-foreground);
  background: var(--vscode-editor-background);
  font: var(--vscode-font-size, 13px) / 1.5 var(--vscode-font-family);
}
body.vscode-high-contrast, body.vscode-high-contrast-light { --line: var(--vscode-contrastBorder); }
main { max-width: 1120px; margin: 0 auto; }
h1 { margin: 0; font-size: 1.6em; font-weight: 600; overflow-wrap: anywhere; }
h2 { margin: 0 0 8px; font-size: 1em; font-weight: 600; }
p { margin: 4px 0; overflow-wrap: anywhere; }
a { color: var(--vscode-textLink-foreground); }
a:focus-visible, summary:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: 2px; }
.dim { color: var(--dim); }
.mark {
  display: inline-block; padding: 0 8px; border-radius: 3px; vertical-align: middle;
  font-size: 0.62em; font-weight: 600;
  color: var(--vscode-statusBarItem-warningForeground, #ffffff);
  background: var(--vscode-statusBarItem-warningBackground, #7a6400);
  border: 1px solid var(--vscode-contrastBorder, transparent);
}
.links { display: flex; flex-wrap: wrap; gap: 4px 16px; margin: 8px 0 20px; }
.problem {
  margin: 0 0 16px; padding: 8px 12px;
  color: var(--vscode-inputValidation-errorForeground, inherit);
  background: var(--vscode-inputValidation-errorBackground, transparent);
  border: 1px solid var(--vscode-inputValidation-errorBorder, currentColor);
}
.problem.warning {
  color: var(--vscode-inputValidation-warningForeground, inherit);
  background: var(--vscode-inputValidation-warningBackground, transparent);
  border-color: var(--vscode-inputValidation-warningBorder, currentColor);
}
.problem a { color: inherit; text-decoration: underline; }
.sections { columns: 340px 2; column-gap: 16px; }
section {
  break-inside: avoid; margin: 0 0 16px; padding: 12px 16px;
  border: 1px solid var(--line); border-radius: 4px;
}
dl { margin: 0; }
dl > div { display: flex; gap: 12px; padding: 3px 0; }
dt { flex: 0 0 42%; color: var(--dim); overflow-wrap: anywhere; }
dd { flex: 1; margin: 0; min-width: 0; overflow-wrap: anywhere; }
hr { height: 0; margin: 8px 0; border: 0; border-top: 1px solid var(--line); }
.access { margin: 0; padding: 0; list-style: none; }
.access li { display: flex; align-items: baseline; gap: 8px; padding: 2px 0; }
.access .dim { margin-left: auto; white-space: nowrap; }
.sign { width: 14px; flex: none; text-align: center; font-weight: 700; }
.yes .sign, .some .sign { color: var(--vscode-testing-iconPassed, var(--vscode-charts-green)); }
.yes .sign::before, .some .sign::before { content: "✓"; }
.no .sign { color: var(--vscode-errorForeground); }
.no .sign::before { content: "✗"; }
.unknown .sign::before { content: "–"; }
.use { display: grid; grid-template-columns: 1fr auto; gap: 2px 12px; padding: 4px 0; }
.use meter { grid-column: 1 / -1; grid-row: 2; width: 100%; height: 10px; }
.use .dim { text-align: right; }
meter::-webkit-meter-inner-element { display: block; }
meter::-webkit-meter-bar {
  height: 6px; border: 0; border-radius: 3px;
  background: var(--vscode-scrollbarSlider-background, rgba(128, 128, 128, 0.3));
}
meter::-webkit-meter-optimum-value { background: var(--vscode-charts-blue, #3794ff); }
meter::-webkit-meter-suboptimum-value { background: var(--vscode-editorWarning-foreground, #cca700); }
meter::-webkit-meter-even-less-good-value { background: var(--vscode-errorForeground, #f14c4c); }
details { padding: 3px 0; }
summary strong { font-weight: 600; }
summary { cursor: pointer; overflow-wrap: anywhere; }
details dl { margin: 4px 0 8px 16px; }
@media (max-width: 420px) {
  body { padding: 12px; }
  dl > div { flex-direction: column; gap: 0; }
}
`;
