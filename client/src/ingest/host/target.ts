// An ingest session's deployment, with its datasets and their schemas.

import { DATASET_FIELDS_MAX } from '../../../../api/src/plain.ts';
import type { TargetSchema } from '../../../../ingest/src/contract.ts';
import type { Deployments } from '../../deployments/deployments.ts';
import type { Profile } from '../../deployments/profiles.ts';
import { fetchDatasets, fetchFields, type KnownSchema } from '../../service/schema.ts';
import type { Service } from '../../service/service.ts';

const TIMEOUT_MS = 15_000;

export class IngestTarget {
  readonly profile: Profile;
  readonly #deployments: Deployments;
  #known: KnownSchema | undefined;

  constructor(deployments: Deployments, profile: Profile) {
    this.#deployments = deployments;
    this.profile = profile;
  }

  service() {
    return this.#deployments.service(this.profile);
  }

  /** Returns the sorted dataset names; undefined if the datasets cannot be listed. */
  async datasets(): Promise<readonly string[] | undefined> {
    const service = await this.service();
    const answer = service.ok ? await fetchDatasets(service.value) : service;
    this.#known = answer.ok ? answer.value : undefined;
    return this.#known?.datasets
      .filter(({ kind }) => kind === 'dataset')
      .map(({ name }) => name)
      .sort((a, b) => a.localeCompare(b));
  }

  async schema(dataset: string): Promise<TargetSchema | undefined> {
    const service = await this.service();
    if (!service.ok) return undefined;
    const [fields, mapFields] = await Promise.all([
      this.#fields(service.value, dataset),
      this.#mapFields(service.value, dataset),
    ]);
    return fields && { fields, mapFields, maxFields: DATASET_FIELDS_MAX };
  }

  async #fields(service: Service, dataset: string): Promise<TargetSchema['fields'] | undefined> {
    const listed = this.#known?.fields.get(dataset);
    if (listed) return listed.map(({ name, type }) => ({ name, type }));
    const answer = await fetchFields(service, dataset);
    if (!answer.ok) return undefined;
    const { list, getschema, virtual } = answer.value.sources;
    return [...(list ?? getschema ?? []), ...(virtual ?? [])].map(({ name, type }) => ({
      name,
      type,
    }));
  }

  async #mapFields(service: Service, dataset: string): Promise<readonly string[]> {
    const params = { dataset_id: dataset };
    const answer = await service.call('listMapFields', { params, timeoutMs: TIMEOUT_MS });
    return answer.ok ? answer.value.typed : [];
  }
}
