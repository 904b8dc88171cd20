// Resource documents and their actions. Loaded when first used.
import type * as vscode from 'vscode';
import { kinds } from '../../../../resources/src/kinds.ts';
import type { Context } from '../../context.ts';
import { type DocumentAddress, whereOf } from '../../deployments/resourceAddress.ts';
import { Disposables } from '../../host/disposables.ts';
import { showFailure } from '../../host/notify.ts';
import type { Resource } from '../resource.ts';
import { ResourceActions } from './actions.ts';
import { queryProblem, registerEmbedded } from './embedded.ts';
import { registerMemberWarnings } from './memberWarnings.ts';
import { registerQueryLenses } from './queryLenses.ts';
import { registerReferences } from './references.ts';
import { registerReferenceWarnings } from './referenceWarnings.ts';
import { ResourceFiles } from './resourceFiles.ts';
import { VirtualDocuments } from './virtualDocuments.ts';

export class ResourceUi extends Disposables {
  readonly files: ResourceFiles;
  readonly actions: ResourceActions;
  readonly #context: Context;

  constructor(context: Context) {
    super();
    this.#context = context;
    const documents = new VirtualDocuments(context.language);
    this.files = new ResourceFiles(context, (document) => queryProblem(documents, document));
    this.actions = new ResourceActions(context, this.files);
    this.own(
      this.files,
      documents,
      registerEmbedded(context, documents),
      registerQueryLenses(),
      registerReferences(context),
      registerReferenceWarnings(context),
      registerMemberWarnings(context.extension.extensionUri, (uri) => this.files.baseOf(uri)),
    );
  }

  async open(resource: Resource, form: 'json' | 'apl'): Promise<vscode.Uri | undefined> {
    const { active } = this.#context.deployments;
    const { kind, id } = resource;
    const place = form === 'apl' ? { place: '' } : {};
    return this.openAddress({ ...whereOf(active), kind, id, form, ...place }, resource.name);
  }

  async openAddress(address: DocumentAddress, name: string): Promise<vscode.Uri | undefined> {
    const opened = await this.files.tabs.open(address);
    if (opened.ok) return opened.value;
    const { noun, requiredAccess } = kinds[address.kind];
    showFailure(`Cannot open the ${noun} '${name}'`, opened.failure, {
      local: this.#context.deployments.find(address.deployment)?.kind === 'local',
      deployment: address.deployment,
      needs: requiredAccess,
    });
    return undefined;
  }
}
