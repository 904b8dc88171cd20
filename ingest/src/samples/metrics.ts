// Generates host metrics at a fixed interval: gauges that drift and follow the load, and counters that only grow until
// a host restarts. Every value is a function of the seed, the host and the time.
import type { Block } from './block.ts';
import { hash, smoothNoise } from './random.ts';
import { type Incident, rhythm, type Timeline } from './timeline.ts';

const SECOND_MS = 1_000;
const intervalsMs = [1, 2, 5, 10, 15, 30, 60, 300, 600, 1_800, 3_600, 21_600, 86_400].map(
  (seconds) => seconds * SECOND_MS,
);
/** Minimum number of series if there are enough events, because fewer would make a dull chart. */
const HOSTS_MIN = 8;

export interface Sampling {
  readonly intervalMs: number;
  readonly hosts: number;
  readonly ticks: number;
  /** Number of ticks missing from the last host, which starts late so that the event count is exact. */
  readonly missing: number;
}

/**
 * Returns the sampling with the shortest interval at which the events are enough for the minimum number of hosts; with
 * the longest interval if there are too few events.
 */
export function samplingOf({ events, spanMs }: Timeline): Sampling {
  const samplings = intervalsMs.map((intervalMs) => {
    const ticks = Math.max(1, Math.floor(spanMs / intervalMs));
    const hosts = Math.ceil(events / ticks);
    return { intervalMs, hosts, ticks, missing: ticks * hosts - events };
  });
  return (samplings.find(({ hosts }) => hosts >= HOSTS_MIN) ?? samplings.at(-1)) as Sampling;
}

const regions = ['eu-west-1', 'us-east-1', 'ap-south-1'];
const roles = ['web', 'api', 'worker', 'database'];
const GIBIBYTE = 1024 ** 3;

export function writeMetrics(block: Block): string {
  const { timeline, startMs, endMs, time, seed } = block;
  const { intervalMs, hosts, ticks, missing } = samplingOf(timeline);
  const beforeLast = missing * (hosts - 1);
  let text = '';
  for (let event = block.first; event < block.first + block.count; event += 1) {
    const early = event < beforeLast;
    const index = early ? event : event - beforeLast;
    const present = early ? hosts - 1 : hosts;
    const host = index % present;
    const tick = (early ? 0 : missing) + Math.floor(index / present);
    const key = hash(seed, host);
    // Spreads the reports, because agents don't all report at the same moment.
    const late = key % Math.min(400, intervalMs / 4);
    const at = Math.max(startMs, Math.floor(endMs - (ticks - 1 - tick) * intervalMs - late - 1));
    const offset = at - startMs;
    const m = measured(timeline, key, host, offset);
    text += `{"_time":"${time.milliseconds(at)}","host":"${m.role}-${String(host).padStart(3, '0')}","role":"${m.role}","region":"${m.region}","cpu_percent":${rounded(m.cpu)},"memory_used_bytes":${m.memory},"load_1m":${rounded(m.load)},"disk_used_percent":${rounded(m.disk)},"queue_depth":${m.queue},"requests_total":${m.requests},"network_out_bytes_total":${m.bytesOut},"uptime_s":${m.uptime}}\n`;
  }
  return text;
}

interface Measured {
  readonly role: string;
  readonly region: string;
  readonly cpu: number;
  readonly memory: number;
  readonly load: number;
  readonly disk: number;
  readonly queue: number;
  readonly requests: number;
  readonly bytesOut: number;
  readonly uptime: number;
}

function measured(timeline: Timeline, key: number, host: number, offset: number): Measured {
  const { spanMs } = timeline;
  const role = roles[host % roles.length] as string;
  const at = offset / spanMs;
  const share = (key % 1_000) / 1_000;
  // User activity, the same for every host.
  const busy = rhythm(spanMs - offset, 7) / 1.67;
  const hit = affected(timeline.incidentAt(offset), role);
  const wander = smoothNoise(key, at * 24);
  const shake = smoothNoise(key ^ 0x5bd1, at * 900);
  const cpu = Math.min(
    100,
    4 + 38 * busy * (0.6 + 0.8 * share) + 22 * wander + 8 * shake + (hit === undefined ? 0 : 45),
  );
  // Memory leaks until the host restarts, once in the span, at a different time for each host.
  const restart = 0.15 + 0.7 * share;
  const sinceRestart = at < restart ? at + (1 - restart) : at - restart;
  const gibibytes = 3 + 6 * share + 5 * sinceRestart + 1.5 * wander;
  const upSeconds = (sinceRestart * spanMs) / SECOND_MS;
  const perSecond = 20 + 60 * share;
  return {
    role,
    region: regions[host % regions.length] as string,
    cpu,
    memory: Math.round(gibibytes * GIBIBYTE),
    load: (cpu / 100) * 8 * (0.8 + 0.4 * shake),
    disk: Math.min(97, 35 + 30 * share + 20 * at + 0.4 * wander),
    queue: Math.round(2 + 12 * busy * shake + (hit === undefined ? 0 : 180 * hit.failing)),
    requests: Math.round(perSecond * served(upSeconds)),
    bytesOut: Math.round(perSecond * 6_300 * served(upSeconds)),
    uptime: Math.floor(upSeconds),
  };
}

function affected(incident: Incident | undefined, role: string): Incident | undefined {
  return incident !== undefined && roles[incident.target % roles.length] === role
    ? incident
    : undefined;
}

/** Returns the seconds of work done by then, with more by day than by night. Never decreases. */
function served(seconds: number): number {
  const daily = (2 * Math.PI) / 86_400;
  return seconds + (0.7 / daily) * (1 - Math.cos(daily * seconds));
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
