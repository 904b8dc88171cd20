// The field form's host: lists fields, saves changes, and keeps unsaved changes while the page is closed. Independent
// of VS Code.

import { adviceFor } from '../host/advice.ts';
import type { Failure, Outcome } from '../service/failure.ts';
import type { Service } from '../service/service.ts';
import { HostChannel, type Pipe, RequestFailed } from '../webview/hostChannel.ts';
import { listFields, saveChanges } from './fieldCalls.ts';
import {
  changeCount,
  type FieldChanges,
  type FieldsContract,
  type FieldsState,
  fieldsContract,
  type Loaded,
  noChanges,
  type Saved,
} from './fieldsContract.ts';

interface FieldsHostParts {
  readonly dataset: string;
  readonly deployment: string;
  readonly local: boolean;
  readonly service: () => Promise<Outcome<Service>>;
  readonly onSaved: () => void;
  readonly onDraft: (draft: FieldChanges) => void;
  readonly onProblem: (problem: string) => void;
}

export class FieldsHost {
  readonly #parts: FieldsHostParts;
  #draft: FieldChanges = noChanges;
  #focus: string | undefined;
  #channel: HostChannel<FieldsContract> | undefined;

  constructor(parts: FieldsHostParts, draft: FieldChanges = noChanges) {
    this.#parts = parts;
    this.#draft = draft;
  }

  get draft(): FieldChanges {
    return this.#draft;
  }

  attach(pipe: Pipe): { dispose(): void } {
    this.#channel = new HostChannel<FieldsContract>({
      contract: fieldsContract,
      pipe,
      requests: { load: () => this.#load(), save: (changes) => this.#save(changes) },
      events: { draft: (draft) => this.#setDraft(draft) },
      onProblem: this.#parts.onProblem,
    });
    return this.#channel;
  }

  /** Focuses a field, now or once the page has loaded. */
  focus(field: string): void {
    this.#focus = field;
    this.#channel?.send('focus', { field });
  }

  async #load(): Promise<Loaded> {
    const { dataset, deployment } = this.#parts;
    const listed = await this.#list();
    if (!listed.ok) throw this.#failed(listed.failure);
    const focus = this.#focus === undefined ? {} : { focus: this.#focus };
    this.#focus = undefined;
    return { ...listed.value, dataset, deployment, draft: this.#draft, ...focus };
  }

  async #list(): Promise<Outcome<FieldsState>> {
    const service = await this.#parts.service();
    return service.ok ? listFields(service.value, this.#parts.dataset) : service;
  }

  async #save(changes: FieldChanges): Promise<Saved> {
    const { dataset, onSaved } = this.#parts;
    const service = await this.#parts.service();
    if (!service.ok) throw this.#failed(service.failure);
    // Fetch the latest fields first, because an update sends all members of a field.
    const current = await this.#list();
    if (!current.ok) throw this.#failed(current.failure);
    const failures = await saveChanges(
      {
        service: service.value,
        dataset,
        listed: current.value.fields,
        describe: (failure) => this.#failed(failure).message,
      },
      changes,
    );
    this.#setDraft(onlyFailed(changes, failures));
    if (changeCount(changes) > failures.length) onSaved();
    const listed = await this.#list();
    return { failures, ...(listed.ok && { state: listed.value }) };
  }

  #setDraft(draft: FieldChanges): void {
    this.#draft = draft;
    this.#parts.onDraft(draft);
  }

  #failed(failure: Failure): RequestFailed {
    const needs = 'access to change datasets';
    const { message } = adviceFor(failure, { local: this.#parts.local, needs });
    return new RequestFailed(failure.kind, message);
  }
}

function onlyFailed(changes: FieldChanges, failures: Saved['failures']): FieldChanges {
  const failed = (kind: 'field' | 'map', name: string) =>
    failures.some((failure) => failure.kind === kind && failure.name === name);
  return {
    fields: changes.fields.filter(({ name }) => failed('field', name)),
    addedMaps: changes.addedMaps.filter((name) => failed('map', name)),
    removedMaps: changes.removedMaps.filter((name) => failed('map', name)),
  };
}
