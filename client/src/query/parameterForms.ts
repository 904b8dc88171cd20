// Forms with a field for each query parameter. A page draws them, and input is checked here. Independent of VS Code.
import type { QueryParameter } from '../../../server/src/protocol.ts';
import type { ParameterForm } from '../answers/parameterForm.ts';
import { Emitter } from '../host/emitter.ts';
import { readParameter } from './parameterValues.ts';

/** Typed text by parameter name; null if the declared default is used. */
export type FilledTexts = ReadonlyMap<string, string | null>;

/** Asks for a query's parameters, with their previous text. Resolves to undefined if the user cancels. */
export type AskForParameters = (
  title: string,
  parameters: readonly QueryParameter[],
  before: FilledTexts,
) => Promise<FilledTexts | undefined>;

interface Asking {
  readonly form: ParameterForm;
  readonly parameters: readonly QueryParameter[];
  readonly settle: (texts: FilledTexts | undefined) => void;
}

export class ParameterForms {
  #asking: Asking | undefined;
  #ids = 0;
  readonly #changed = new Emitter<ParameterForm | null>();
  /** Fires with a form that opens, and with null when it has closed. */
  readonly onDidChange = this.#changed.event;

  get form(): ParameterForm | null {
    return this.#asking?.form ?? null;
  }

  /** Opens a form and cancels the previous one. */
  readonly ask: AskForParameters = (title, parameters, before) => {
    this.#asking?.settle(undefined);
    this.#ids += 1;
    const form = {
      id: this.#ids,
      title,
      fields: parameters.map((parameter) => ({
        name: parameter.name,
        type: parameter.type,
        note: noteOf(parameter),
        text: before.get(parameter.name) ?? parameter.defaultText ?? firstText(parameter),
      })),
    };
    return new Promise((settle) => {
      this.#asking = { form, parameters, settle };
      this.#changed.fire(this.form);
    });
  };

  /** Returns an error message or null for each text. If all are null, `accept` closes the form with the texts. */
  check(id: number, texts: readonly string[], accept: boolean): readonly (string | null)[] {
    const asking = this.#asking;
    if (asking?.form.id !== id) return [];
    const { parameters } = asking;
    const problems = parameters.map((parameter, at) => problemOf(parameter, texts[at] ?? ''));
    if (accept && problems.every((problem) => problem === null)) {
      const filled = parameters.map(({ name, defaultText }, at) => {
        const text = texts[at] ?? '';
        return [name, text === defaultText ? null : text] as const;
      });
      this.#close(asking, new Map(filled));
    }
    return problems;
  }

  /** Closes the form with the id; without an id, any open form. */
  cancel(id?: number): void {
    const asking = this.#asking;
    if (asking && (id === undefined || asking.form.id === id)) this.#close(asking, undefined);
  }

  #close({ settle }: Asking, texts: FilledTexts | undefined): void {
    this.#asking = undefined;
    settle(texts);
    this.#changed.fire(this.form);
  }
}

function noteOf({ type, defaultText }: QueryParameter): string {
  if (defaultText === undefined) return type;
  return `${type}, default: ${defaultText || '(empty)'}`;
}

function firstText({ type }: QueryParameter): string {
  return type === 'bool' ? 'true' : '';
}

function problemOf({ type, defaultText }: QueryParameter, text: string): string | null {
  if (text === defaultText) return null;
  const typed = readParameter(type, text, Date.now());
  return typed.ok ? null : typed.message;
}
