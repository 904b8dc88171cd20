/** Functions for IPv4 and IPv6 addresses as strings. Ranges use CIDR notation. */
import { area, either, fn, long, many, optional, string } from '../build.ts';

export const ipFunctions = area('ip', {
  format_ipv4: fn(
    [either('address', 'long', 'string'), optional(long('prefix', { unit: 'bits' }))],
    'string',
  ),
  format_ipv4_mask: fn(
    [either('address', 'string', 'long'), optional(long('prefix', { unit: 'bits' }))],
    'string',
  ),
  geo_info_from_ip_address: fn([string('address')], 'dynamic'),
  has_any_ipv4: fn([string('text'), many(either('addresses', 'dynamic', 'string'))], 'bool'),
  has_any_ipv4_prefix: fn([string('text'), many(either('prefixes', 'dynamic', 'string'))], 'bool'),
  has_ipv4: fn([string('text'), string('address')], 'bool'),
  has_ipv4_prefix: fn([string('text'), string('prefix')], 'bool'),
  ipv4_compare: fn(
    [string('address1'), string('address2'), optional(long('prefix', { unit: 'bits' }))],
    'long',
  ),
  ipv4_is_in_any_range: fn(
    [string('address'), many(either('ranges', 'dynamic', 'string'))],
    'bool',
  ),
  ipv4_is_in_range: fn([string('address'), string('range')], 'bool'),
  ipv4_is_match: fn(
    [string('address1'), string('address2'), optional(long('prefix', { unit: 'bits' }))],
    'bool',
  ),
  ipv4_is_private: fn([string('address')], 'bool'),
  ipv4_netmask_suffix: fn([string('address')], 'long', { unit: 'bits' }),
  ipv6_compare: fn(
    [string('address1'), string('address2'), optional(long('prefix', { unit: 'bits' }))],
    'long',
  ),
  ipv6_is_in_any_range: fn(
    [string('address'), many(either('ranges', 'dynamic', 'string'))],
    'bool',
  ),
  ipv6_is_in_range: fn([string('address'), string('range')], 'bool'),
  ipv6_is_match: fn(
    [string('address'), string('subnet'), optional(long('prefix', { unit: 'bits' }))],
    'bool',
  ),
  parse_ipv4: fn([string('address')], 'long'),
  parse_ipv4_mask: fn([string('address'), long('prefix', { unit: 'bits' })], 'long'),
});
