/** The queries that are run, over the events of `test/bench/local/events.ts`. */

/** All columns: those of the events, the two times, and as many made ones as bring them to twenty. */
export const twentyColumns = (rows: number) =>
  `events | extend twice = status * 2, seconds = duration / 1000, zone = strcat(host, '!'), failed = status > 399 | limit ${rows}\n`;

export const twelveColumns = (rows: number) =>
  `events | project _time, level, method, uri, status, duration, host, client, trace_id, message, ['geo.city'], ['kubernetes.pod'] | limit ${rows}\n`;

export const shortAnswer = 'events | limit 1000\n';
