// Code lenses that open the APL in a resource's JSON.
import * as vscode from 'vscode';
import { aplLiterals, aplLocations } from '../../../../resources/src/aplLocations.ts';
import { readDocument } from '../../../../resources/src/documents.ts';
import { equal } from '../../../../resources/src/value.ts';
import { readAddress } from '../../deployments/resourceAddress.ts';
import { codeLens } from '../../ui/editorParts.ts';
import { jsonSelector } from './jsonProblems.ts';

export function registerQueryLenses(): vscode.Disposable {
  return vscode.languages.registerCodeLensProvider(jsonSelector, {
    provideCodeLenses(document) {
      const address = readAddress(document.uri.query);
      if (address === undefined) return [];
      const text = document.getText();
      const read = readDocument(address.kind, text);
      if (!read.ok) return [];
      const places = aplLocations(address.kind, read.document);
      return aplLiterals(address.kind, text).flatMap(({ path, start, language }) => {
        const place = places.find((one) => equal(one.path, path));
        if (place === undefined) return [];
        const at = document.positionAt(start);
        return [
          codeLens(new vscode.Range(at, at), {
            title: language === 'query' ? 'Open Query' : 'Open Expression',
            command: 'aplomb.openPlace',
            arguments: [{ ...address, form: 'apl', place: place.key }],
          }),
        ];
      });
    },
  });
}
