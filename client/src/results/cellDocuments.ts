/** Opens result values in read-only editors. */
import { TextDocuments } from '../host/textDocuments.ts';
import type { CellDocument } from './cellDocument.ts';

const missing = 'The result of this value is no longer available. Run the query again.\n';

export class CellDocuments extends TextDocuments {
  constructor() {
    super('aplomb-cell', missing);
  }

  /** Shows a value. `place` distinguishes values of the same name, such as values of two results. */
  async open({ name, language, text }: CellDocument, place: string): Promise<void> {
    await this.show({ path: `/${name}`, query: place }, text, language, { preview: true });
  }
}
