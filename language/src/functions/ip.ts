/** Functions for IPv4 and IPv6 addresses as strings. Ranges use CIDR notation. */
import { area, either, fn, long, many, optional, string } from '../catalog/build.ts';
import type { ProseRow } from '../prose/says.ts';

const address = string('address');
const pair = [string('address1'), string('address2')] as const;
const prefix = optional(long('prefix', { unit: 'bits' }));
const ranges = many(either('ranges', 'dynamic', 'string'));

export const ipFunctions = area('ip', {
  format_ipv4: fn([either('address', 'long', 'string'), prefix], 'string'),
  format_ipv4_mask: fn([either('address', 'string', 'long'), prefix], 'string'),
  geo_info_from_ip_address: fn([address], 'dynamic'),
  has_any_ipv4: fn([string('text'), many(either('addresses', 'dynamic', 'string'))], 'bool'),
  has_any_ipv4_prefix: fn([string('text'), many(either('prefixes', 'dynamic', 'string'))], 'bool'),
  has_ipv4: fn([string('text'), address], 'bool'),
  has_ipv4_prefix: fn([string('text'), string('prefix')], 'bool'),
  ipv4_compare: fn([...pair, prefix], 'long'),
  ipv4_is_in_any_range: fn([address, ranges], 'bool'),
  ipv4_is_in_range: fn([address, string('range')], 'bool'),
  ipv4_is_match: fn([...pair, prefix], 'bool'),
  ipv4_is_private: fn([address], 'bool'),
  ipv4_netmask_suffix: fn([address], 'long', { unit: 'bits' }),
  ipv6_compare: fn([...pair, prefix], 'long'),
  ipv6_is_in_any_range: fn([address, ranges], 'bool'),
  ipv6_is_in_range: fn([address, string('range')], 'bool'),
  ipv6_is_match: fn([address, string('subnet'), prefix], 'bool'),
  parse_ipv4: fn([address], 'long'),
  parse_ipv4_mask: fn([address, long('prefix', { unit: 'bits' })], 'long'),
});

export const ipProse: Readonly<Record<keyof typeof ipFunctions, ProseRow>> = {
  format_ipv4: ['Converts a number to an IPv4 address.', 'format_ipv4(3232235777)'],
  format_ipv4_mask: [
    'Returns the network of an IPv4 address in CIDR notation.',
    "format_ipv4_mask('192.168.1.10', 24)",
  ],
  geo_info_from_ip_address: [
    'Returns the country, state, city, latitude, longitude, country_iso and time_zone of an IP address.',
    'geo_info_from_ip_address(client_ip).country',
  ],
  has_any_ipv4: [
    'Checks whether a string contains any of several IPv4 addresses.',
    "has_any_ipv4(message, dynamic(['10.0.0.1', '10.0.0.2']))",
  ],
  has_any_ipv4_prefix: [
    'Checks whether a string contains an IPv4 address with any of several prefixes.',
    "has_any_ipv4_prefix(message, dynamic(['10.0.', '192.168.']))",
  ],
  has_ipv4: ['Checks whether a string contains an IPv4 address.', "has_ipv4(message, '10.0.0.1')"],
  has_ipv4_prefix: [
    'Checks whether a string contains an IPv4 address with a prefix.',
    "has_ipv4_prefix(message, '192.168.')",
  ],
  ipv4_compare: [
    'Compares two IPv4 addresses and returns -1, 0 or 1.',
    "ipv4_compare(client_ip, '10.0.0.1')",
  ],
  ipv4_is_in_any_range: [
    'Checks whether an IPv4 address is in any of several ranges.',
    "ipv4_is_in_any_range(client_ip, dynamic(['10.0.0.0/8', '192.168.0.0/16']))",
  ],
  ipv4_is_in_range: [
    'Checks whether an IPv4 address is in a range.',
    "ipv4_is_in_range(client_ip, '10.0.0.0/8')",
  ],
  ipv4_is_match: [
    'Checks whether two IPv4 addresses are in the same network.',
    "ipv4_is_match(client_ip, '192.168.1.0', 24)",
  ],
  ipv4_is_private: [
    'Checks whether an IPv4 address belongs to a private network.',
    'ipv4_is_private(client_ip)',
  ],
  ipv4_netmask_suffix: [
    'Returns the length of the network prefix of an IPv4 address.',
    "ipv4_netmask_suffix('192.168.1.0/24')",
  ],
  ipv6_compare: [
    'Compares two IPv6 addresses and returns -1, 0 or 1.',
    "ipv6_compare(client_ip, '2001:db8::1')",
  ],
  ipv6_is_in_any_range: [
    'Checks whether an IPv6 address is in any of several ranges.',
    "ipv6_is_in_any_range(client_ip, dynamic(['2001:db8::/32', 'fd00::/8']))",
  ],
  ipv6_is_in_range: [
    'Checks whether an IPv6 address is in a range.',
    "ipv6_is_in_range(client_ip, '2001:db8::/32')",
  ],
  ipv6_is_match: [
    'Checks whether an IPv6 address matches an address or a network.',
    "ipv6_is_match(client_ip, '2001:db8::/32')",
  ],
  parse_ipv4: ['Converts an IPv4 address to a number.', "parse_ipv4('192.168.1.1')"],
  parse_ipv4_mask: [
    'Converts the network of an IPv4 address to a number.',
    "parse_ipv4_mask('192.168.1.10', 24)",
  ],
};
