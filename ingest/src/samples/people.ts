// Clients of the sample shop as JSON text: cities, addresses from the documentation ranges (RFC 5737), browsers.
import { type Random, Weighted } from './random.ts';

export const cities = new Weighted<string>(
  (
    [
      ['London', 'United Kingdom', 14],
      ['New York', 'United States', 14],
      ['Berlin', 'Germany', 11],
      ['São Paulo', 'Brazil', 9],
      ['Mumbai', 'India', 9],
      ['Tokyo', 'Japan', 8],
      ['Toronto', 'Canada', 6],
      ['Lisbon', 'Portugal', 4],
      ['Sydney', 'Australia', 4],
      ['Nairobi', 'Kenya', 3],
      ['Zürich', 'Switzerland', 2],
      ['Reykjavík', 'Iceland', 1],
    ] as const
  ).map(([city, country, weight]) => [JSON.stringify({ city, country }), weight]),
);

export const userAgents = new Weighted<string>(
  (
    [
      ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/143.0', 40],
      ['Mozilla/5.0 (Macintosh; Intel Mac OS X 15_3) Firefox/146.0', 16],
      ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) Mobile Safari/605.1', 22],
      ['Mozilla/5.0 (Linux; Android 16) Chrome/143.0 Mobile', 14],
      ['curl/8.11.0', 4],
      ['Googlebot/2.1 (+http://www.google.com/bot.html)', 4],
    ] as const
  ).map(([agent, weight]) => [JSON.stringify(agent), weight]),
);

const networks = ['192.0.2', '198.51.100', '203.0.113'];

export function clientAddress(random: Random): string {
  return `${random.of(networks)}.${1 + random.below(254)}`;
}

const hexBytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Formats 32 bits as eight hexadecimal digits. */
export function hex(bits: number): string {
  return `${hexBytes[bits >>> 24]}${hexBytes[(bits >>> 16) & 255]}${hexBytes[(bits >>> 8) & 255]}${hexBytes[bits & 255]}`;
}
