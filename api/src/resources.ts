// All resources, requests and responses of the service, each a schema and a type with the same name.
export * from './resources/access.ts';
export * from './resources/annotation.ts';
export * from './resources/dashboard.ts';
export * from './resources/dataset.ts';
export * from './resources/error.ts';
export * from './resources/ingest.ts';
export * from './resources/ingestFormats.ts';
export * from './resources/legacy.ts';
export * from './resources/message.ts';
export * from './resources/monitor.ts';
export * from './resources/notifier.ts';
export * from './resources/query.ts';
export * from './resources/result.ts';
export * from './resources/saved.ts';
export * from './resources/structured.ts';
