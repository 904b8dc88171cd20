/**
 * Lists the attribute names of OpenTelemetry's semantic conventions, version 1.45.0, including obsolete names, grouped
 * by the part before the first dot. Attributes with these names become fields. All others are stored in one map field,
 * because their number is unlimited. A test compares the list with the published one.
 */

const NAMES: Readonly<Record<string, string>> = {
  android: 'app.state os.api_level state',
  app: 'build_id crash.id installation.id jank.frame_count jank.period jank.threshold screen.coordinate.x screen.coordinate.y screen.id screen.name widget.id widget.name',
  artifact: 'attestation.filename attestation.hash attestation.id filename hash purl version',
  aspnetcore:
    'authentication.result authentication.scheme authorization.policy authorization.result diagnostics.exception.result diagnostics.handler.type identity.error_code identity.password_check_result identity.result identity.sign_in.result identity.sign_in.type identity.token_purpose identity.token_verified identity.user.update_type identity.user_type memory_pool.owner rate_limiting.policy rate_limiting.result request.is_unhandled routing.is_fallback routing.match_status sign_in.is_persistent user.is_authenticated',
  aws: 'bedrock.guardrail.id bedrock.knowledge_base.id dynamodb.attribute_definitions dynamodb.attributes_to_get dynamodb.consistent_read dynamodb.consumed_capacity dynamodb.count dynamodb.exclusive_start_table dynamodb.global_secondary_index_updates dynamodb.global_secondary_indexes dynamodb.index_name dynamodb.item_collection_metrics dynamodb.limit dynamodb.local_secondary_indexes dynamodb.projection dynamodb.provisioned_read_capacity dynamodb.provisioned_write_capacity dynamodb.scan_forward dynamodb.scanned_count dynamodb.segment dynamodb.select dynamodb.table_count dynamodb.table_names dynamodb.total_segments ecs.cluster.arn ecs.container.arn ecs.launchtype ecs.task.arn ecs.task.family ecs.task.id ecs.task.revision eks.cluster.arn extended_request_id kinesis.stream_name lambda.invoked_arn lambda.resource_mapping.id log.group.arns log.group.names log.stream.arns log.stream.names request_id s3.bucket s3.copy_source s3.delete s3.key s3.part_number s3.upload_id secretsmanager.secret.arn sns.topic.arn sqs.queue.url step_functions.activity.arn step_functions.state_machine.arn',
  az: 'namespace service_request_id',
  azure:
    'client.id cosmosdb.connection.mode cosmosdb.consistency.level cosmosdb.operation.contacted_regions cosmosdb.operation.request_charge cosmosdb.request.body.size cosmosdb.response.sub_status_code eventhubs.message.enqueued_time resource_group.name resource_provider.namespace service.request.id servicebus.disposition_status servicebus.message.delivery_count servicebus.message.enqueued_time',
  browser:
    'brands document.url.full language mobile platform web_vital.delta web_vital.id web_vital.name web_vital.navigation_type web_vital.rating web_vital.value',
  cassandra:
    'consistency.level coordinator.dc coordinator.id page.size query.idempotent speculative_execution.count',
  cicd: 'pipeline.action.name pipeline.name pipeline.result pipeline.run.id pipeline.run.state pipeline.run.url.full pipeline.task.name pipeline.task.run.id pipeline.task.run.result pipeline.task.run.url.full pipeline.task.type system.component worker.id worker.name worker.state worker.url.full',
  client:
    'address as.number as.organization mac.address port prefix service.name service.namespace',
  cloud: 'account.id availability_zone platform provider region resource_id',
  cloudevents: 'event_id event_source event_spec_version event_subject event_type',
  cloudfoundry:
    'app.id app.instance.id app.name org.id org.name process.id process.type space.id space.name system.id system.instance.id',
  code: 'column column.number file.path filepath function function.name line.number lineno namespace stacktrace',
  container:
    'command command_args command_line cpu.state csi.plugin.name csi.volume.id id image.id image.name image.repo_digests image.tag image.tags name runtime runtime.description runtime.name runtime.version',
  cpu: 'logical_number mode',
  cpython: 'gc.generation',
  db: 'cassandra.consistency_level cassandra.coordinator.dc cassandra.coordinator.id cassandra.idempotence cassandra.keyspace cassandra.page_size cassandra.speculative_execution_count cassandra.table client.connection.pool.name client.connection.state client.connections.pool.name client.connections.state collection.name connection_string cosmosdb.client_id cosmosdb.connection_mode cosmosdb.consistency_level cosmosdb.container cosmosdb.operation_type cosmosdb.regions_contacted cosmosdb.request_charge cosmosdb.request_content_length cosmosdb.status_code cosmosdb.sub_status_code elasticsearch.cluster.name elasticsearch.node.name hbase.namespace instance.id jdbc.driver_classname mongodb.collection mssql.instance_name name namespace operation operation.batch.size operation.name query.summary query.text redis.database_index response.returned_rows response.status_code sql.table statement stored_procedure.name system system.name user',
  deployment: 'environment environment.name id name status',
  destination: 'address as.number as.organization mac.address port prefix',
  device: 'id manufacturer model.identifier model.name',
  disk: 'io.direction',
  dns: 'answers question.name',
  dotnet: 'gc.heap.generation',
  elasticsearch: 'node.name',
  enduser: 'id pseudo.id role scope',
  error: 'message type',
  event: 'name',
  exception: 'escaped message stacktrace type',
  faas: 'coldstart cron document.collection document.name document.operation document.time execution id instance invocation.id invocation.start_time invoked_name invoked_provider invoked_region max_memory name time trigger version',
  feature_flag:
    'context.id error.message evaluation.error.message evaluation.reason key provider.name result.reason result.value result.variant set.id variant version',
  file: 'accessed attributes changed created directory extension fork_name group.id group.name inode lock.mechanism lock.mode lock.type mode modified name owner.id owner.name path size symbolic_link.target_path',
  gcp: 'apphub.application.container apphub.application.id apphub.application.location apphub.service.criticality_type apphub.service.environment_type apphub.service.id apphub.workload.criticality_type apphub.workload.environment_type apphub.workload.id apphub_destination.application.container apphub_destination.application.id apphub_destination.application.location apphub_destination.service.criticality_type apphub_destination.service.environment_type apphub_destination.service.id apphub_destination.workload.criticality_type apphub_destination.workload.environment_type apphub_destination.workload.id client.service cloud_run.job.execution cloud_run.job.task_index gce.instance.hostname gce.instance.name gce.instance_group_manager.name gce.instance_group_manager.region gce.instance_group_manager.zone pubsub.message.ack_deadline pubsub.message.ack_id pubsub.message.delivery_attempt pubsub.message.ordering_key',
  gen_ai:
    'agent.description agent.id agent.name agent.version completion conversation.id data_source.id embeddings.dimension.count evaluation.explanation evaluation.name evaluation.score.label evaluation.score.value input.messages openai.request.response_format openai.request.seed openai.request.service_tier openai.response.service_tier openai.response.system_fingerprint operation.name output.messages output.type prompt prompt.name provider.name request.choice.count request.encoding_formats request.frequency_penalty request.max_tokens request.model request.presence_penalty request.seed request.stop_sequences request.stream request.temperature request.top_k request.top_p response.finish_reasons response.id response.model response.time_to_first_chunk retrieval.documents retrieval.query.text system system_instructions token.type tool.call.arguments tool.call.id tool.call.result tool.definitions tool.description tool.name tool.type usage.cache_creation.input_tokens usage.cache_read.input_tokens usage.completion_tokens usage.input_tokens usage.output_tokens usage.prompt_tokens usage.reasoning.output_tokens workflow.name',
  geo: 'continent.code country.iso_code locality.name location.lat location.lon postal_code region.iso_code',
  go: 'cpu.detailed_state cpu.state memory.detailed_type memory.type',
  graphql: 'document operation.name operation.type',
  heroku: 'app.id release.commit release.creation_timestamp',
  host: 'arch cpu.cache.l2.size cpu.family cpu.model.id cpu.model.name cpu.stepping cpu.vendor.id id image.id image.name image.version ip mac name type',
  http: 'client_ip connection.state flavor host method request.body.content request.body.size request.method request.method_original request.resend_count request.size request_content_length request_content_length_uncompressed response.body.content response.body.size response.size response.status_code response_content_length response_content_length_uncompressed route scheme server_name status_code target url user_agent',
  hw: 'battery.capacity battery.chemistry battery.state bios_version driver_version enclosure.type firmware_version gpu.task id limit_type logical_disk.raid_level logical_disk.state memory.type model name network.logical_addresses network.physical_address parent physical_disk.smart_attribute physical_disk.state physical_disk.type sensor_location serial_number state tape_drive.operation_type type vendor',
  ios: 'app.state state',
  jsonrpc: 'protocol.version request.id',
  jvm: 'buffer.pool.name executor.name executor.owner.name executor.thread.state executor.type gc.action gc.cause gc.name memory.pool.name memory.type thread.daemon thread.state',
  k8s: 'cluster.name cluster.uid container.ephemeral_storage.fs_type container.name container.restart_count container.status.last_terminated_reason container.status.reason container.status.state cronjob.name cronjob.uid daemonset.name daemonset.uid deployment.name deployment.uid hpa.metric.type hpa.name hpa.scaletargetref.api_version hpa.scaletargetref.kind hpa.scaletargetref.name hpa.uid hugepage.size job.name job.uid namespace.name namespace.phase node.condition.status node.condition.type node.name node.system_container.name node.uid persistentvolume.name persistentvolume.reclaim_policy persistentvolume.status.phase persistentvolume.uid persistentvolumeclaim.name persistentvolumeclaim.status.phase persistentvolumeclaim.uid pod.hostname pod.ip pod.name pod.start_time pod.status.phase pod.status.reason pod.uid replicaset.name replicaset.uid replicationcontroller.name replicationcontroller.uid resourcequota.name resourcequota.resource_name resourcequota.uid service.endpoint.address_type service.endpoint.condition service.endpoint.zone service.name service.publish_not_ready_addresses service.traffic_distribution service.type service.uid statefulset.name statefulset.uid storageclass.name volume.name volume.type',
  kafka: 'cluster.id message.key message.tombstone offset',
  linux: 'memory.slab.state',
  log: 'file.name file.name_resolved file.path file.path_resolved iostream record.original record.uid',
  mainframe: 'lpar.name',
  mcp: 'method.name protocol.version resource.uri session.id',
  message: 'compressed_size id type uncompressed_size',
  messaging:
    'batch.message_count client.id consumer.group.name consumer_id conversation_id destination destination.anonymous destination.name destination.partition.id destination.subscription.name destination.template destination.temporary destination_kind destination_publish.anonymous destination_publish.name eventhubs.consumer.group eventhubs.message.enqueued_time gcp_pubsub.message.ack_deadline gcp_pubsub.message.ack_id gcp_pubsub.message.delivery_attempt gcp_pubsub.message.ordering_key kafka.client_id kafka.cluster.id kafka.consumer.group kafka.consumer_group kafka.destination.partition kafka.message.key kafka.message.offset kafka.message.tombstone kafka.message_key kafka.offset kafka.partition kafka.tombstone message.body.size message.conversation_id message.envelope.size message.id message_id message_payload_compressed_size_bytes message_payload_size_bytes operation operation.name operation.type protocol protocol_version rabbitmq.destination.routing_key rabbitmq.message.delivery_tag rabbitmq.routing_key rocketmq.client_group rocketmq.consumption_model rocketmq.message.delay_time_level rocketmq.message.delivery_timestamp rocketmq.message.group rocketmq.message.keys rocketmq.message.tag rocketmq.message.type rocketmq.namespace servicebus.destination.subscription_name servicebus.disposition_status servicebus.message.delivery_count servicebus.message.enqueued_time system system.name temp_destination url',
  net: 'host.carrier.icc host.carrier.mcc host.carrier.mnc host.carrier.name host.connection.subtype host.connection.type host.ip host.name host.port peer.ip peer.name peer.port protocol.name protocol.version sock.family sock.host.addr sock.host.port sock.peer.addr sock.peer.name sock.peer.port transport',
  network:
    'carrier.icc carrier.mcc carrier.mnc carrier.name connection.state connection.subtype connection.type interface.name io.direction local.address local.as.number local.as.organization local.mac.address local.port local.prefix peer.address peer.as.number peer.as.organization peer.mac.address peer.port peer.prefix protocol.name protocol.version transport type',
  nfs: 'operation.name server.repcache.status',
  nodejs: 'eventloop.state',
  oci: 'manifest.digest',
  onc_rpc: 'procedure.name procedure.number program.name version',
  openai: 'api.type request.service_tier response.service_tier response.system_fingerprint',
  openshift: 'clusterquota.name clusterquota.uid',
  opentracing: 'ref_type',
  oracle: 'db.domain db.instance.name db.name db.pdb db.service',
  oracle_cloud: 'realm',
  os: 'build_id description name type version',
  otel: 'component.name component.type event.name library.name library.version scope.name scope.schema_url scope.version span.parent.origin span.sampling_result status_code status_description',
  peer: 'service',
  pool: 'name',
  pprof:
    'location.is_folded mapping.has_filenames mapping.has_functions mapping.has_inline_frames mapping.has_line_numbers profile.comment profile.doc_url profile.drop_frames profile.keep_frames scope.default_sample_type scope.sample_type_order',
  process:
    'args_count command command_args command_line context_switch.type cpu.state creation.time executable.build_id.gnu executable.build_id.go executable.build_id.htlhash executable.build_id.profiling executable.name executable.path exit.code exit.time group_leader.pid interactive linux.cgroup owner paging.fault_type parent_pid pid real_user.id real_user.name runtime.description runtime.name runtime.version saved_user.id saved_user.name session_leader.pid state title user.id user.name vpid working_directory',
  profile: 'frame.type',
  rabbitmq: 'destination.routing_key message.delivery_tag',
  rocketmq:
    'consumption_model message.delay_time_level message.delivery_timestamp message.group message.keys message.tag message.type namespace',
  rpc: 'connect_rpc.error_code grpc.status_code jsonrpc.error_code jsonrpc.error_message jsonrpc.request_id jsonrpc.version message.compressed_size message.id message.type message.uncompressed_size method method_original response.status_code service status_code system system.name',
  security_rule: 'category description license name reference ruleset.name uuid version',
  server:
    'address as.number as.organization mac.address port prefix service.name service.namespace',
  service:
    'criticality instance.cost_center.id instance.cost_center.name instance.id name namespace peer.name peer.namespace version',
  session: 'id previous_id',
  signalr: 'connection.status transport',
  source: 'address as.number as.organization mac.address port prefix',
  system:
    'cpu.logical_number cpu.state device device.name filesystem.mode filesystem.mountpoint filesystem.state filesystem.type memory.linux.hugepages.state memory.linux.slab.state memory.state network.state paging.direction paging.fault.type paging.state paging.type process.status processes.status',
  telemetry: 'auto.version distro.name distro.version sdk.language sdk.name sdk.version',
  test: 'case.name case.result.status suite.name suite.run.status',
  thread: 'id name',
  tls: 'cipher client.certificate client.certificate_chain client.hash.md5 client.hash.sha1 client.hash.sha256 client.issuer client.ja3 client.not_after client.not_before client.server_name client.subject client.supported_ciphers curve established next_protocol protocol.name protocol.version resumed server.certificate server.certificate_chain server.hash.md5 server.hash.sha1 server.hash.sha256 server.issuer server.ja3s server.not_after server.not_before server.subject',
  url: 'domain extension fragment full original path port query registered_domain scheme subdomain template top_level_domain',
  user: 'email full_name hash id name roles',
  user_agent: 'name original os.name os.version synthetic.type version',
  v8js: 'gc.type heap.space.name resource.type',
  vcs: 'change.id change.state change.title line_change.type owner.name provider.name ref.base.name ref.base.revision ref.base.type ref.head.name ref.head.revision ref.head.type ref.type repository.change.id repository.change.title repository.name repository.ref.name repository.ref.revision repository.ref.type repository.url.full revision_delta.direction',
  webengine: 'description name version',
  zos: 'smf.id sysplex.name',
};

/** Attribute names with these prefixes end in a name chosen by the program. Grouped like `NAMES`. */
const PREFIXES: Readonly<Record<string, string>> = {
  container: 'label labels',
  db: 'elasticsearch.path_parts operation.parameter query.parameter',
  gcp: 'gce.instance.labels',
  http: 'request.header response.header',
  k8s: 'cronjob.annotation cronjob.label daemonset.annotation daemonset.label deployment.annotation deployment.label job.annotation job.label namespace.annotation namespace.label node.annotation node.label persistentvolumeclaim.annotation persistentvolumeclaim.label persistentvolume.annotation persistentvolume.label pod.annotation pod.label pod.labels replicaset.annotation replicaset.label service.annotation service.label service.selector statefulset.annotation statefulset.label',
  process: 'environment_variable',
  rpc: 'connect_rpc.request.metadata connect_rpc.response.metadata grpc.request.metadata grpc.response.metadata request.header request.metadata response.header response.metadata response.trailer',
};

function expanded(table: Readonly<Record<string, string>>): string[] {
  return Object.entries(table).flatMap(([first, rest]) =>
    rest.split(' ').map((name) => `${first}.${name}`),
  );
}

let names: ReadonlySet<string> | undefined;
let prefixes: readonly string[] | undefined;

/** The service's own namespaces `gen_ai.` and `eval.` also count as conventions. */
export function isConventional(name: string): boolean {
  names ??= new Set(expanded(NAMES));
  prefixes ??= ['gen_ai.', 'eval.', ...expanded(PREFIXES).map((prefix) => `${prefix}.`)];
  return names.has(name) || prefixes.some((prefix) => name.startsWith(prefix) && name !== prefix);
}

/** Resource attributes whose field names don't have the prefix `resource.`. */
export const PROMOTED: ReadonlySet<string> = new Set([
  'service.name',
  'service.version',
  'service.namespace',
  'service.instance.id',
  'telemetry.sdk.name',
  'telemetry.sdk.version',
  'telemetry.sdk.language',
  'telemetry.distro.name',
  'telemetry.distro.version',
]);
