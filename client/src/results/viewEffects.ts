/** Performs the actions of result pages in VS Code: clipboard, editors, links, commands and messages. */
import * as vscode from 'vscode';
import type { Log } from '../host/log.ts';
import { guardsCopiedFormulas, setResultsTimeZone } from '../host/settings.ts';
import type { LanguageServer } from '../languageServer/languageClient.ts';
import { setStatusBarMessage, showWarningMessage } from '../ui/notifications.ts';
import type { CellDocuments } from './cellDocuments.ts';
import type { Effects } from './host/parts.ts';

const STATUS_MESSAGE_MS = 3_000;

export function viewEffects(language: LanguageServer, log: Log, documents: CellDocuments): Effects {
  return {
    copy: async (text) => vscode.env.clipboard.writeText(text),
    guardsFormulas: guardsCopiedFormulas,
    openDocument: (document, place) => documents.open(document, place),
    openLink: (address) => void vscode.env.openExternal(vscode.Uri.parse(address, true)),
    runAction: ({ command, arguments: given = [] }) =>
      void vscode.commands.executeCommand(command, ...given),
    pathText: (name, path) => language.quotePath(name, path),
    setTimeZone: (timeZone) => {
      setResultsTimeZone(timeZone).catch((error: unknown) =>
        log.warn(`The time zone could not be stored: ${error}`),
      );
    },
    inform: (message) => void setStatusBarMessage(message, STATUS_MESSAGE_MS),
    warn: (message) => void showWarningMessage(message),
  };
}
