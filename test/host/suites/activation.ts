// The extension starts, and every command that its manifest offers exists.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('the extension', () => {
  it('activates and registers every command of its manifest', async () => {
    const extension = vscode.extensions.getExtension('aplomb.aplomb');
    assert.ok(extension, 'The extension is not installed.');
    await extension.activate();
    const offered: { command: string }[] = extension.packageJSON.contributes.commands;
    const registered = new Set(await vscode.commands.getCommands(true));
    assert.ok(offered.length > 0);
    assert.deepEqual(
      offered.map((entry) => entry.command).filter((command) => !registered.has(command)),
      [],
    );
  });
});
