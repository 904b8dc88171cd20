/** Documentation of functions for IPv4 and IPv6 addresses, which are strings. Ranges are in CIDR notation. */
import type { ipFunctions } from '../../catalog/functions/ip.ts';
import { type Prose, says } from '../says.ts';

export const ipProse = {
  format_ipv4: says('Converts a number to an IPv4 address.', 'format_ipv4(3232235777)'),
  format_ipv4_mask: says(
    'Returns the network of an IPv4 address in CIDR notation.',
    "format_ipv4_mask('192.168.1.10', 24)",
  ),
  geo_info_from_ip_address: says(
    'Returns the country, state, city, latitude, longitude, country_iso and time_zone of an IP address.',
    'geo_info_from_ip_address(client_ip).country',
  ),
  has_any_ipv4: says(
    'Checks whether a string contains any of several IPv4 addresses.',
    "has_any_ipv4(message, dynamic(['10.0.0.1', '10.0.0.2']))",
  ),
  has_any_ipv4_prefix: says(
    'Checks whether a string contains an IPv4 address with any of several prefixes.',
    "has_any_ipv4_prefix(message, dynamic(['10.0.', '192.168.']))",
  ),
  has_ipv4: says(
    'Checks whether a string contains an IPv4 address.',
    "has_ipv4(message, '10.0.0.1')",
  ),
  has_ipv4_prefix: says(
    'Checks whether a string contains an IPv4 address with a prefix.',
    "has_ipv4_prefix(message, '192.168.')",
  ),
  ipv4_compare: says(
    'Compares two IPv4 addresses and returns -1, 0 or 1.',
    "ipv4_compare(client_ip, '10.0.0.1')",
  ),
  ipv4_is_in_any_range: says(
    'Checks whether an IPv4 address is in any of several ranges.',
    "ipv4_is_in_any_range(client_ip, dynamic(['10.0.0.0/8', '192.168.0.0/16']))",
  ),
  ipv4_is_in_range: says(
    'Checks whether an IPv4 address is in a range.',
    "ipv4_is_in_range(client_ip, '10.0.0.0/8')",
  ),
  ipv4_is_match: says(
    'Checks whether two IPv4 addresses are in the same network.',
    "ipv4_is_match(client_ip, '192.168.1.0', 24)",
  ),
  ipv4_is_private: says(
    'Checks whether an IPv4 address belongs to a private network.',
    'ipv4_is_private(client_ip)',
  ),
  ipv4_netmask_suffix: says(
    'Returns the length of the network prefix of an IPv4 address.',
    "ipv4_netmask_suffix('192.168.1.0/24')",
  ),
  ipv6_compare: says(
    'Compares two IPv6 addresses and returns -1, 0 or 1.',
    "ipv6_compare(client_ip, '2001:db8::1')",
  ),
  ipv6_is_in_any_range: says(
    'Checks whether an IPv6 address is in any of several ranges.',
    "ipv6_is_in_any_range(client_ip, dynamic(['2001:db8::/32', 'fd00::/8']))",
  ),
  ipv6_is_in_range: says(
    'Checks whether an IPv6 address is in a range.',
    "ipv6_is_in_range(client_ip, '2001:db8::/32')",
  ),
  ipv6_is_match: says(
    'Checks whether an IPv6 address matches an address or a network.',
    "ipv6_is_match(client_ip, '2001:db8::/32')",
  ),
  parse_ipv4: says('Converts an IPv4 address to a number.', "parse_ipv4('192.168.1.1')"),
  parse_ipv4_mask: says(
    'Converts the network of an IPv4 address to a number.',
    "parse_ipv4_mask('192.168.1.10', 24)",
  ),
} satisfies Record<keyof typeof ipFunctions, Prose>;
